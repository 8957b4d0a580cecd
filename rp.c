/dev/fd/3: line 203: /tmp/speed16/t5: No such file or directory
