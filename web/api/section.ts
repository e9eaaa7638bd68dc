import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { lazyRouteComponent } from '@tanstack/react-router'
import { report } from './log.ts'
import { watchRequest } from './slow-requests.ts'

/** A part of the page whose code did not come: the network, a server on its way to a newer build, or too much patience asked. */
export class SectionError extends Error {
  override readonly name = 'SectionError'
  constructor({ isLate }: { isLate: boolean }) {
    super(isLate ? texts.sectionLate : texts.sectionMissing)
  }
}

/** The code of a section, within the time that people are asked to wait for one; the loader speaks of it as of any request. */
export async function inSectionTime<Module>(load: () => Promise<Module>): Promise<Module> {
  const over = watchRequest()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SectionError({ isLate: true })), limits.sectionLoadTimeoutMs)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    report('section.failed', { error: String(error) })
    throw error instanceof SectionError ? error : new SectionError({ isLate: false })
  } finally {
    clearTimeout(timer)
    over()
  }
}

/** The component of a route that is fetched with its first visit: a page must never be waited for without end. */
export const lazySection = ((load: () => Promise<Record<string, unknown>>, name: string) =>
  lazyRouteComponent(() => inSectionTime(load) as never, name as never)) as typeof lazyRouteComponent
