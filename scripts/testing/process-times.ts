import { readFileSync } from 'node:fs'

const ticksPerSecond = 100 // Fixed for user space on Linux.

export type Used = { cpuMs: number; pageFaults: number }

/** What all ended child processes used. 0 where it is not available, as outside Linux. */
export function usedByChildren(): Used {
  try {
    const [, fields = ''] = /\)\s(.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? []
    const numbers = fields.split(' ').map(Number)
    const [pageFaults = 0, user = 0, system = 0] = [numbers[8], numbers[13], numbers[14]]
    return { cpuMs: ((user + system) / ticksPerSecond) * 1000, pageFaults }
  } catch {
    return { cpuMs: 0, pageFaults: 0 }
  }
}

/** What this process used, and its ended children. */
export function usedSoFar(): Used {
  const { user, system } = process.cpuUsage()
  const children = usedByChildren()
  const pageFaults = process.resourceUsage().minorPageFault + children.pageFaults
  return { cpuMs: (user + system) / 1000 + children.cpuMs, pageFaults }
}
