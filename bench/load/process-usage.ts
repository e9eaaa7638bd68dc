import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Shared memory is divided among its processes, so that the sum is the real use. */
export type Used = { cpuSeconds: number; memoryMb: number }

const ticksPerSecond = Number(
  process.platform === 'linux' ? execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }) : 0,
)

/** Processor time of a server process since its start, and its current memory. */
export function usedBy(pid: number): Used | undefined {
  if (!ticksPerSecond) return undefined
  return readUsed(pid)
}

/** The database and its backends; the postmaster accounts for backends that have ended. */
export function usedByTree(root: number): Used | undefined {
  if (!ticksPerSecond) return undefined
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => pid === root || parentOf(pid) === root)
  const used = all.map(readUsed)
  return {
    cpuSeconds: used.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, endedChildrenOf(root)),
    memoryMb: used.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
  }
}

/** The peak memory of a process above its current use. */
export function peakMemory(pid: number): { grownMb(): number } {
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`))?.[1]) / 1_024
  if (ticksPerSecond) writeFileSync(`/proc/${pid}/clear_refs`, '5') // Resets the peak.
  const idle = megabytes('VmRSS')
  return { grownMb: () => megabytes('VmHWM') - idle }
}

function readUsed(pid: number): Used {
  const fields = fieldsOf(pid)
  const cpuSeconds = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond
  const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  return { cpuSeconds, memoryMb: kilobytes / 1_024 }
}

function endedChildrenOf(pid: number): number {
  const fields = fieldsOf(pid)
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / ticksPerSecond
}

function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1])
}

/** The fields after the program's name, which can contain spaces; the first is the state. */
function fieldsOf(pid: number): string[] {
  return read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // The process ended in the meantime.
  }
}
