@rem npm scripts begin with `exec`, so that npm signals the program itself and not a shell. cmd.exe has no such word and finds this file.
@%*
