import { texts } from '@atrium/contract/texts.ts'

/**
 * Handles chunks that fail to load. The browser's and bundler's messages contain file names and would reach the screen: this
 * replaces them by a plain message, with an error name by which screens offer a reload.
 */
export function replaceChunkErrors(): void {
  addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: unknown }
    if (payload instanceof Error) Object.assign(payload, { name: 'SectionError', message: texts.sectionMissing })
  })
}
