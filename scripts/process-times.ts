import { readFileSync } from 'node:fs'

const ticksPerSecond = 100 // Of every Linux that programs see.

/** What all processes that this one started, and that have ended, took of the cores: in words, or nothing where nobody counts it. */
export function coreSecondsOfChildren(): string {
  try {
    const [, fields = ''] = /\)\s(.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? []
    const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number)
    return `, ${((user + system) / ticksPerSecond).toFixed(0)} s of a core`
  } catch {
    return '' // Not on Linux.
  }
}
