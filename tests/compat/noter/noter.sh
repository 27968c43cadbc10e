#!/bin/sh
# Shows notes and takes them back, each frame written by hand. It looks at no more of a line than
# its first letters, and leaves when there is nothing more to read.

printf '%s\n' '{"type":"hello","name":"noter","version":"1.0.0"}' '{"type":"register_command","name":"go"}' '{"type":"ready"}'

while IFS= read -r line; do
  case $line in
    '{"type":"command_invoked"'*)
      id=${line#*'"id":"'}
      printf '%s\n' \
        '{"type":"notify","level":"info","message":"first"}' \
        '{"type":"clear_notes"}' \
        '{"type":"notify","level":"success","message":"second"}' \
        '{"type":"command_response","id":"'"${id%%'"'*}"'","action":"noop"}'
      ;;
  esac
done
