#!/bin/sh
# Takes its time before the program says anything, as `npx tsx` does: until somebody writes into `go`.
read -r _ < go
exec node "$@"
