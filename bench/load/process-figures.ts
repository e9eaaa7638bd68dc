import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Memory that several processes share is divided among them, so that a sum is what the machine gives. */
export type Used = { cpuSeconds: number; memoryMb: number }

const ticksPerSecond = Number(
  process.platform === 'linux' ? execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }) : 0,
)

/** What a server process has used of the processor since it began, and of the memory now. */
export function usedBy(pid: number): Used | undefined {
  if (!ticksPerSecond) return undefined
  return readUsed(pid)
}

/** The database and its backends: those that ended have left their time with the postmaster. */
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

/** What a process grows to above what it holds now. */
export function peakMemory(pid: number): { grownMb(): number } {
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`))?.[1]) / 1_024
  if (ticksPerSecond) writeFileSync(`/proc/${pid}/clear_refs`, '5') // Forgets the peak until now.
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

/** Those after the program's name, which may hold blanks: state is the first. */
function fieldsOf(pid: number): string[] {
  return read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // Ended while we were looking.
  }
}
