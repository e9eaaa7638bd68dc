import type { Locator, Page } from 'playwright'
import { expect } from './visit.ts'

export type Effort = { clicks: number; fields: number; waits: number }

/** A person's hands: whatever they do is counted, and a page that wants more of it than before fails its journey. */
export function countEffort(page: Page) {
  const effort: Effort = { clicks: 0, fields: 0, waits: 0 }
  const tap = async (target: Locator): Promise<void> => {
    effort.clicks += 1
    await target.click()
  }
  return {
    effort,
    tap,
    async type(field: Locator, text: string): Promise<void> {
      effort.fields += 1
      await field.fill(text)
    },
    async choose(field: Locator, option: RegExp): Promise<void> {
      await tap(field)
      await tap(page.getByRole('option', { name: option }).first())
    },
    /** Opens the chooser of files, of which one is taken. */
    async attach(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
      effort.clicks += 1
      await field.setInputFiles(file)
      await expect(page.getByText('Uploaded', { exact: true })).toBeVisible()
    },
    /** For somebody else, or for a while that the page sets. */
    async wait(until: Promise<unknown>): Promise<void> {
      effort.waits += 1
      await until
    },
  }
}
