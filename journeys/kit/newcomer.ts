import type { Locator, Page } from 'playwright'
import { expect } from './visit.ts'

export type Effort = { clicks: number; fields: number; waits: number }

/** Counts every user action; a page that needs more of them than before fails its journey. */
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
    /** Opens the file chooser and picks one file. */
    async attach(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
      effort.clicks += 1
      await field.setInputFiles(file)
      await expect(page.getByText('Uploaded', { exact: true })).toBeVisible()
    },
    /** Waits for another person, or for a delay that the page sets. */
    async wait(until: Promise<unknown>): Promise<void> {
      effort.waits += 1
      await until
    },
  }
}
