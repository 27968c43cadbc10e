#!/bin/sh
# A tool for the model in POSIX sh: no jq, no sed, and not one process started for
# a frame. It speaks version 1 of the protocol: hello carries no
# protocol_version, and everything is said before the host has answered.
#
# A shell can do this because the host promises more than JSON does: one frame a
# line, compact, `type` first, `id` second, and ids without quotes or escapes.

# Bytes, not characters: the same name gives the same weather in every locale.
LC_ALL=C
export LC_ALL

CR=$(printf '\r')
TAB=$(printf '\t')
ALPHABET=' !#$%&()+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ^_abcdefghijklmnopqrstuvwxyz{|}~'

say() { printf '%s\n' "$@"; }

# result ID TEXT IS_ERROR: TEXT is already the inside of a JSON string.
result() {
  say '{"type":"tool_result","id":"'"$1"'","content":[{"type":"text","text":"'"$2"'"}],"is_error":'"$3"'}'
}

# trim TEXT: sets $trimmed to TEXT without blanks at either end.
trim() {
  trimmed=${1#"${1%%[! "$TAB"]*}"}
  trimmed=${trimmed%"${trimmed##*[! "$TAB"]}"}
}

# json_string TEXT: TEXT begins after an opening quote. Sets $string to all up to
# the closing one, escapes and all: never decoded, so nothing in it can break the
# frame that it is put back into. Fails when no quote closes it.
json_string() {
  string='' rest=$1
  while :; do
    plain=${rest%%[\"\\]*}
    string=$string$plain
    rest=${rest#"$plain"}
    case $rest in
      '"'*) return 0 ;;
      '\'?*) tail=${rest#??} string=$string${rest%"$tail"} rest=$tail ;;
      *) return 1 ;;
    esac
  done
}

# city_of ARGS: sets $city to the string under the key "city", or fails.
# A quote inside a JSON string is escaped, so `"city"` in full can only be a whole
# string: the key, or a value of that name, after which no colon comes.
city_of() {
  rest=$1
  while :; do
    case $rest in *'"city"'*) rest=${rest#*'"city"'} ;; *) return 1 ;; esac
    trim "$rest"
    case $trimmed in :*) ;; *) continue ;; esac
    trim "${trimmed#:}"
    case $trimmed in '"'*) ;; *) return 1 ;; esac
    json_string "${trimmed#'"'}" || return 1
    trim "$string"
    city=$trimmed
    return 0
  done
}

# forecast CITY: sets $weather, always to the same for the same name.
# `printf %d "'x"` would give a character's code, but only through a subshell for
# each; its place in a known alphabet costs nothing.
forecast() {
  if [ "$1" = Berlin ]; then weather='16°C, fog'; return; fi
  rest=$1 sum=7
  while [ -n "$rest" ]; do
    tail=${rest#?}
    before=${ALPHABET%%"${rest%"$tail"}"*}
    sum=$(((sum * 31 + ${#before}) % 99991))
    rest=$tail
  done
  case $((sum / 38 % 5)) in
    0) sky=sunshine ;;
    1) sky=clouds ;;
    2) sky=rain ;;
    3) sky=wind ;;
    *) sky=snow ;;
  esac
  # Snow at 30°C would be noticed even in made-up weather.
  if [ "$sky" = snow ]; then degrees=$((sum % 9 - 8)); else degrees=$((sum % 31 + 1)); fi
  weather="${degrees}°C, $sky"
}

# answer FRAME: exactly one tool_result, whatever the frame holds.
answer() {
  id=${1#'{"type":"tool_call","id":"'}
  id=${id%%'"'*}
  # Neither id nor name can hold a quote, so the first `"args":` is the field.
  case $1 in *'"args":'*) args=${1#*'"args":'} ;; *) args='' ;; esac
  if [ ${#args} -gt 2000 ]; then
    # Cutting strings up in sh takes time that grows with the square of their size.
    result "$id" 'no city has a name that long' true
  elif ! city_of "$args"; then
    result "$id" 'the argument city must be a string' true
  elif [ -z "$city" ]; then
    result "$id" 'the argument city is empty; name one, such as Berlin' true
  else
    forecast "$city"
    result "$id" "$city: $weather (made up, always the same)" false
  fi
}

say \
  '{"type":"hello","name":"weather","version":"1.0.0","capabilities":["tools"]}' \
  '{"type":"register_tool","name":"weather","description":"The weather in a city (made up, always the same)","schema":{"type":"object","properties":{"city":{"type":"string","description":"Name of the city"}},"required":["city"]}}' \
  '{"type":"ready"}'

# -r keeps backslashes, the empty IFS keeps blanks. A last line without its line
# end is half a frame: read fails on it, and it is rightly lost.
while IFS= read -r line; do
  line=${line%"$CR"}
  case $line in
    # From the first byte on: an event may quote a tool call further inside.
    '{"type":"tool_call","id":"'*) answer "$line" ;;
    '{"type":"shutdown"'*) say '{"type":"shutdown_ack"}'; exit 0 ;;
  esac
done
