#!/bin/sh
# Sends one prompt to `zeug rpc` and prints the answer as it comes. POSIX sh, no jq.
set -u

if [ $# -eq 0 ]; then
  echo "usage: client.sh PROMPT" >&2
  exit 2
fi

tab=$(printf '\t')
cr=$(printf '\r')

# Writes $1 as a JSON string. Control characters other than line end, tab and CR are left out.
quoted() {
  printf '%s\n' "$1" | LC_ALL=C tr -d '\000-\010\013\014\016-\037' |
    LC_ALL=C sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e "s/$tab/\\\\t/g" -e "s/$cr/\\\\r/g" |
    LC_ALL=C awk '{ text = text between $0; between = "\\n" } END { printf "\"%s\"", text }'
}

# Prints the text of a JSON string without its quotes. zeug writes as escapes only \" \\ \n \r \t
# \b \f and, for control characters, \u00XX.
unescaped() {
  rest=$1
  while :; do
    case $rest in
      *\\*) ;;
      *)
        printf '%s' "$rest"
        return
        ;;
    esac
    printf '%s' "${rest%%\\*}"
    rest=${rest#*\\}
    case $rest in
      n*) printf '\n' ;;
      r*) printf '\r' ;;
      t*) printf '\t' ;;
      b*) printf '\b' ;;
      f*) printf '\f' ;;
      u*)
        digits=${rest#u}
        digits=${digits%"${digits#????}"}
        # shellcheck disable=SC2059
        printf "\\$(printf '%03o' "0x$digits")"
        rest=${rest#????}
        ;;
      *)
        after=${rest#?}
        printf '%s' "${rest%"$after"}"
        ;;
    esac
    rest=${rest#?}
  done
}

# The string that follows "$1": in the line $2, as text. Good for fields that come last or whose
# value holds no quote; enough for the lines below.
field() {
  value=${2#*"\"$1\":\""}
  unescaped "${value%\"*}"
}

asked() {
  if [ -n "${ZEUG_RPC_TOKEN:-}" ]; then
    printf '{"id":"hello","type":"hello","token":%s}\n' "$(quoted "$ZEUG_RPC_TOKEN")"
  fi
  printf '{"id":"prompt","type":"prompt","message":%s}\n' "$(quoted "$1")"
}

# The input ends right after the prompt; zeug finishes what it was asked for before it goes.
asked "$*" | "${ZEUG:-zeug}" rpc | {
  failed=0
  while IFS= read -r line; do
    case $line in
      '{"type":"text_delta",'*) field delta "$line" ;;
      '{"type":"tool_call",'*)
        name=${line#*'"name":"'}
        printf '[tool] %s\n' "${name%%\"*}" >&2
        ;;
      '{"type":"error",'*)
        printf 'error: %s\n' "$(field message "$line")" >&2
        failed=1
        ;;
      '{"type":"response",'*'"success":false,'*)
        printf '%s\n' "$(field error "$line")" >&2
        exit 1
        ;;
      '{"type":"done"}')
        echo
        exit "$failed"
        ;;
    esac
  done
  echo "zeug ended before the prompt was done" >&2
  exit 1
}
