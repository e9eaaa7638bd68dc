// Loaded into each program that scripts/launch.js starts: asks it to end, in the ordinary way, when its launcher is gone.
import process from 'node:process'

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
