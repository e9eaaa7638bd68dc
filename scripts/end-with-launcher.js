// Preloaded into each program that scripts/launch.js starts: ends the program gracefully when its launcher is gone.
import process from 'node:process'

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
