#!/bin/sh
# An extension without a JSON library: it writes lines by hand and cuts ids out of them with sed.
#
# It waits for nobody: all that it has goes out before the ack is read. `shutdown` means nothing to
# it; it leaves when there is nothing more to read.

printf '%s\n' \
  '{"type":"hello","name":"burst","version":"1.0.0","capabilities":["commands","tools"]}' \
  '{"type":"register_tool","name":"shout","description":"Says it louder","schema":{"type":"object","properties":{"text":{"type":"string"}}}}' \
  '{"type":"register_command","name":"Whisper","description":"Says it to you alone"}' \
  '{"type":"ready"}'

while IFS= read -r line; do
  id=$(printf '%s\n' "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')
  case $line in
    '{"type":"tool_call"'*)
      text=$(printf '%s\n' "$line" | sed 's/.*"text":"\([^"]*\)".*/\1/' | tr '[:lower:]' '[:upper:]')
      printf '{"type":"tool_result","id":"%s","content":[{"type":"text","text":"%s!"}]}\n' "$id" "$text"
      ;;
    '{"type":"command_invoked"'*)
      name=$(printf '%s\n' "$line" | sed 's/.*"name":"\([^"]*\)".*/\1/')
      args=''
      case $line in
        *'"args":"'*) args=$(printf '%s\n' "$line" | sed 's/.*"args":"\([^"]*\)".*/\1/') ;;
      esac
      printf '{"type":"command_response","id":"%s","action":"display","display":"%s: <%s>"}\n' "$id" "$name" "$args"
      ;;
  esac
done
echo 'burst: nothing more to read' >&2
