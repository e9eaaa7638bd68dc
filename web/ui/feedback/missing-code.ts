import { texts } from '@atrium/contract/texts.ts'

/**
 * Code or styles of a part that did not come. The browser and the bundler put file names into what they throw, and whoever
 * shows an error shows its sentence: so it gets a plain one here, and the name by which screens offer to load the page anew.
 */
export function sayMissingCodePlainly(): void {
  addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: unknown }
    if (payload instanceof Error) Object.assign(payload, { name: 'SectionError', message: texts.sectionMissing })
  })
}
