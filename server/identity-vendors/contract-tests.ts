import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IdentityVendor, RawWebhookEvent } from './contract.ts'
import { VendorProblem } from './contract.ts'

/** The contract tests that every adapter passes against a simulator of its vendor. */
export type VendorBench = {
  vendor(settings?: Record<string, string>): IdentityVendor
  /** The same vendor with a key that it does not know. */
  withWrongKey(): IdentityVendor
  /** Makes the vendor fail before it acts, answer with garbage, or recover. */
  setFault(fault: 'fail-before' | 'garbage' | 'none'): void
  /** The origin of the vendor's links, and another one for them from now on. */
  links: string
  setLinks(origin: string): void
  /** The member has submitted every document. */
  submit(checkId: string): RawWebhookEvent
  review(checkId: string, verdict: 'approved' | 'retry' | 'rejected'): RawWebhookEvent
  /** The same message with a signature by another key. */
  forge(webhookEvent: RawWebhookEvent): RawWebhookEvent
}

const person = (checkId: string) => ({ checkId, email: 'mara@example.com', language: null })

export function testVendor(name: string, bench: () => VendorBench): void {
  describe(`identity vendor ${name}`, () => {
    it('returns a token and an address, and the same applicant on every call', async () => {
      const first = await bench().vendor().start(person('check-1'))
      const second = await bench().vendor().start(person('check-1'))
      assert.ok(first.token !== '' && /^https?:/.test(first.url), JSON.stringify(first))
      assert.equal(second.applicantId, first.applicantId)
      const other = await bench().vendor().start(person('check-2'))
      assert.notEqual(other.applicantId, first.applicantId)
    })

    it('sends a member to listed hosts only, by https', async () => {
      const { links } = bench()
      const own = 'https://verify.brokerage.example'
      const hostile = [`${links}.evil.example`, links.replace('//', '//user@'), links.replace('https', 'http'), own]
      try {
        for (const origin of hostile) {
          bench().setLinks(origin)
          const problem = await bench()
            .vendor()
            .start(person('check-6'))
            .catch((thrown: unknown) => thrown)
          assert.ok(problem instanceof VendorProblem, origin)
          assert.deepEqual([problem.kind, /page is on a host/.test(problem.message)], ['misconfigured', true])
          assert.doesNotMatch(problem.message, /websdk|https?:/)
        }
        assert.ok((await bench().vendor({ page_hosts: 'verify.brokerage.example' }).start(person('check-6'))).url)
      } finally {
        bench().setLinks(links)
      }
      assert.ok((await bench().vendor().start(person('check-6'))).url.startsWith(links))
    })

    it('reports the state of a check on request', async () => {
      const { applicantId } = await bench().vendor().start(person('check-3'))
      assert.equal(await bench().vendor().readReport(applicantId), null)
      bench().submit('check-3')
      assert.equal((await bench().vendor().readReport(applicantId))?.state, 'waiting')
      for (const verdict of ['retry', 'rejected', 'approved'] as const) {
        bench().review('check-3', verdict)
        assert.equal((await bench().vendor().readReport(applicantId))?.state, verdict)
      }
    })

    it('accepts only messages with a valid signature', async () => {
      const { applicantId } = await bench().vendor().start(person('check-4'))
      const webhook = bench().review('check-4', 'approved')
      const read = bench().vendor().readWebhookEvent(webhook)
      assert.ok(read.isGenuine)
      assert.deepEqual([read.checkId, read.applicantId, read.report?.state], ['check-4', applicantId, 'approved'])
      const { readWebhookEvent, readProvenEvent } = bench().vendor()
      assert.deepEqual(readProvenEvent(bench().forge(webhook)), read, 'proven by an earlier secret')
      assert.deepEqual(readWebhookEvent(bench().forge(webhook)), { isGenuine: false, why: 'forged' })
      assert.deepEqual(readWebhookEvent({ ...webhook, headers: {} }), { isGenuine: false, why: 'unsigned' })
      const changed = Buffer.concat([webhook.body, Buffer.from(' ')])
      assert.deepEqual(readWebhookEvent({ ...webhook, body: changed }), { isGenuine: false, why: 'forged' })
    })

    it('classifies a failed request as misconfigured, unavailable or unknown', async () => {
      const kindOf = async (work: Promise<unknown>): Promise<string> => {
        const problem = await work.then(
          () => null,
          (thrown: unknown) => thrown,
        )
        assert.ok(problem instanceof VendorProblem, String(problem))
        return problem.kind
      }
      assert.equal(await kindOf(bench().withWrongKey().start(person('check-5'))), 'misconfigured')
      bench().setFault('fail-before')
      assert.equal(await kindOf(bench().vendor().start(person('check-5'))), 'unavailable')
      bench().setFault('garbage')
      assert.equal(await kindOf(bench().vendor().start(person('check-5'))), 'unknown')
      bench().setFault('none')
      assert.ok((await bench().vendor().start(person('check-5'))).applicantId)
    })
  })
}
