import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { lazyRouteComponent } from '@tanstack/react-router'
import { report } from './log.ts'
import { watchRequest } from './slow-requests.ts'

/** The code of a page section failed to load: no network, a deployment in progress, or a timeout. */
export class SectionError extends Error {
  override readonly name = 'SectionError'
  constructor({ isLate }: { isLate: boolean }) {
    super(isLate ? texts.sectionLate : texts.sectionMissing)
  }
}

/** Loads the code of a section within the time limit and shows the loader as for any request. */
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

/** A lazily loaded route component with a load timeout. */
export const lazySection = ((load: () => Promise<Record<string, unknown>>, name: string) =>
  lazyRouteComponent(() => inSectionTime(load) as never, name as never)) as typeof lazyRouteComponent
