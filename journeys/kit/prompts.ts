import type { BrowserContext, Dialog, Page } from 'playwright'

/** What the browser itself asks: `beforeunload` is its "Leave site?". */
export type PromptType = 'alert' | 'beforeunload' | 'confirm' | 'prompt'

type ExpectedPrompt = { type: PromptType; answer: 'accept' | 'dismiss' }

const expectedOn = new WeakMap<Page, ExpectedPrompt[]>()

/** The next prompt of this page may be of this type, and is answered so. One that does not come fails the journey as well. */
export function expectPrompt(page: Page, expected: ExpectedPrompt): void {
  expectedOn.set(page, [...(expectedOn.get(page) ?? []), expected])
}

const leftFreely = new WeakSet<Page>()

/** A walk from screen to screen leaves forms half filled, and is not asked about them: whether a person is, other journeys look. */
export function leaveFreely(page: Page): void {
  leftFreely.add(page)
}

/**
 * Playwright answers prompts by itself while nobody listens, so that no journey would see one. Here each one that was not
 * expected by name is a problem; it is answered all the same, because a page with an open prompt stands still.
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

/** A page that is closed meanwhile takes its prompt with it. */
function answer(dialog: Dialog, how: 'accept' | 'dismiss'): void {
  dialog[how]().catch(() => undefined)
}
