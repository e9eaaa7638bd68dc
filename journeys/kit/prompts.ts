import type { BrowserContext, Dialog, Page } from 'playwright'

/** Prompts of the browser itself: `beforeunload` is its "Leave site?". */
export type PromptType = 'alert' | 'beforeunload' | 'confirm' | 'prompt'

type ExpectedPrompt = { type: PromptType; answer: 'accept' | 'dismiss' }

const expectedOn = new WeakMap<Page, ExpectedPrompt[]>()

/** Expects the next prompt of this page to have this type and answers it. A prompt that does not appear also fails the journey. */
export function expectPrompt(page: Page, expected: ExpectedPrompt): void {
  expectedOn.set(page, [...(expectedOn.get(page) ?? []), expected])
}

const leftFreely = new WeakSet<Page>()

/** Accepts leave prompts while walking from screen to screen; other journeys check these prompts. */
export function leaveFreely(page: Page): void {
  leftFreely.add(page)
}

/**
 * Playwright answers prompts itself while no listener exists, so journeys would not notice them. This listener reports each
 * unexpected one as a problem, and still answers it, because an open prompt blocks the page.
 */
export function watchPrompts(context: BrowserContext, problems: string[]): () => string[] {
  const pages = new Set<Page>()
  context.on('page', (page) => pages.add(page))
  context.on('dialog', (dialog) => {
    const page = dialog.page()
    if (page && leftFreely.has(page) && dialog.type() === 'beforeunload') return answer(dialog, 'accept')
    const next = page ? expectedOn.get(page)?.[0] : undefined
    if (next?.type !== dialog.type()) {
      problems.push(
        `prompt that was not expected: ${dialog.type()} "${dialog.message()}" (${page?.url() ?? 'no page'})`,
      )
      return answer(dialog, dialog.type() === 'beforeunload' ? 'accept' : 'dismiss')
    }
    expectedOn.get(page as Page)?.shift()
    answer(dialog, next.answer)
  })
  return () =>
    [...pages].flatMap((page) =>
      (expectedOn.get(page) ?? []).map(
        ({ type }) => `prompt that was expected and never came: ${type} (${page.url()})`,
      ),
    )
}

/** A closing page takes its prompt with it. */
function answer(dialog: Dialog, how: 'accept' | 'dismiss'): void {
  dialog[how]().catch(() => undefined)
}
