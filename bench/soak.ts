/**
 * `npm run bench -- soak`: members' pages poll one process for an hour. Reports its resources every five minutes; at the end the
 * growth of memory, as a straight line through the samples after the caches have filled, and whether the number of open
 * files and sockets is unchanged.
 */

import type { ChildServer } from '../tests/doubles/child-server.ts'
import { onPolledProcess } from './load/polled-process.ts'
import { usedBy } from './load/process-usage.ts'

const minutes = Number(process.env.ATRIUM_BENCH_MINUTES ?? 60)
const peopleCount = Number(process.env.ATRIUM_BENCH_MEMBERS ?? 250)
const sampleMs = 15_000
const reportEvery = 20
/** Share of the run after which compiled code, statement plans and workspace caches are complete. */
const warmShare = 1 / 3

type Sample = { minute: number; memoryMb: number; heapMb: number; files: number; resources: number }

await onPolledProcess(peopleCount, async ({ server, people, browsers }) => {
  const sampling = startSampling(server)
  const { all, perSecond, failed } = await browsers.poll({
    targets: [server.url],
    // Polls do not extend a session: a passive user is signed out after half an hour.
    people: people.map((person) => ({ ...person, isActive: true })),
    seconds: minutes * 60,
    logins: 0,
  })
  const samples = await sampling.stop()
  const problems = Object.entries(failed).map(([what, count]) => `, ${count} x ${what}`)
  console.log(
    `  ${people.length} members for ${minutes} min: ${perSecond.toFixed(0)} requests/s, p50 ${all.p50Ms.toFixed(1)} ms, p99 ${all.p99Ms.toFixed(1)} ms${problems.join('')}`,
  )
  reportGrowth(samples)
})

function startSampling(server: ChildServer): { stop(): Promise<Sample[]> } {
  const samples: Sample[] = []
  const began = performance.now()
  const clock = setInterval(async () => {
    const sample = await sampleOf(server, (performance.now() - began) / 60_000)
    samples.push(sample)
    if (samples.length % reportEvery === 1) console.log(`  ${describe(sample)}`)
  }, sampleMs)
  return {
    async stop() {
      clearInterval(clock)
      return samples
    },
  }
}

async function sampleOf({ url, child }: ChildServer, minute: number): Promise<Sample> {
  const page = await (await fetch(`${url}/metrics`)).text()
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN)
  return {
    minute,
    memoryMb: usedBy(child.pid ?? 0)?.memoryMb ?? metric('process_resident_memory_bytes') / 2 ** 20,
    heapMb: metric('nodejs_heap_size_used_bytes') / 2 ** 20,
    files: metric('process_open_fds'),
    resources: metric('nodejs_active_resources_total'),
  }
}

function describe({ minute, memoryMb, heapMb, files, resources }: Sample): string {
  return `after ${minute.toFixed(0).padStart(2)} min: ${memoryMb.toFixed(0)} MB, ${heapMb.toFixed(0)} MB of it used heap, ${files} open files and sockets, ${resources} timers and requests under way`
}

function reportGrowth(samples: readonly Sample[]): void {
  const warm = samples.filter(({ minute }) => minute >= minutes * warmShare)
  const slope = (of: (sample: Sample) => number): string => slopeOf(warm.map((one) => [one.minute, of(one)])).toFixed(3)
  const files = warm.map((one) => one.files)
  console.log(
    `  After ${(minutes * warmShare).toFixed(0)} min: memory ${slope((one) => one.memoryMb)} MB a minute (bar 1), used heap ${slope((one) => one.heapMb)}; open files and sockets ${files.at(0)} at first, ${files.at(-1)} at last, between ${Math.min(...files)} and ${Math.max(...files)}`,
  )
}

/** Slope of the least-squares line. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)]
  const rise = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return rise / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}
