"""A solved game as plain files that any web host serves: `perfectplay site`.

command.py      the command                              states.py       the states, or all positions as text
writer.py       all files of a site                      blocks.py       the files of states, and their index
late.py         the late plies, which are left out       rules_code.py   packed rules in JavaScript
texts.py        the texts of states, as tables           learning.py     the bits that decide these texts
site.js         answers, in a page and in Node           late.js         the search for the late plies
worker.js       the worker of the page, for site.js      query.mjs       the command line in Node
offline.js      stores the files in a browser
"""
