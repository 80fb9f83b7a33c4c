#!/usr/bin/env python
"""Django's command line for this project in a clone; installed, it is `ginleague`."""

from deploy.command_line import main

if __name__ == "__main__":
    main()
