"""Solved games over HTTP: the answers of a database as JSON and pictures, and the page to play against.

command.py         `perfectplay serve`            app.py        the application: routes, errors, limits
answers.py         the table of endpoints         openapi.py    its description as OpenAPI
gamescrafters.py   a second dialect               files.py      the files, each reopened when it is replaced
hosts.py           the names that are answered to
"""
