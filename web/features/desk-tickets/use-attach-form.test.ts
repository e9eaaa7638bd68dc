import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { flushSync } from 'react-dom'
import { hookUnderTest } from '../../hook-under-test.ts'
import { openPage } from '../../page-under-test.ts'
import '../../ui/text/i18n.ts'
import { useAttachForm } from './use-attach-form.ts'

let shown: ReturnType<typeof useAttachForm>
let closePage: () => void
let answer: { status: number; body: object }
const page = hookUnderTest(
  () => useAttachForm('0199a1b2-0000-7000-8000-000000000001', () => undefined),
  (now) => {
    shown = now
  },
)

/** A request that the server answers once the whole file has arrived; without an answer the connection is lost. */
class Upload {
  upload: { onprogress?: (event: object) => void } = {}
  onload?: () => void
  onerror?: () => void
  status = 0
  responseText = ''
  open = () => undefined
  setRequestHeader = () => undefined
  getResponseHeader = () => null
  send() {
    setTimeout(() => {
      this.upload.onprogress?.({ lengthComputable: true, loaded: 4, total: 4 })
      this.status = answer.status
      this.responseText = JSON.stringify(answer.body)
      if (answer.status === 0) this.onerror?.()
      else this.onload?.()
    }, 5)
  }
}

async function sendRefused(status: number, body: object): Promise<void> {
  answer = { status, body }
  page.show()
  flushSync(() => shown.pick(new File(['text'], 'statement.pdf', { type: 'application/pdf' })))
  flushSync(() => shown.form.submit())
  await page.until(() => shown.form.isSubmitting)
  await page.until(() => !shown.form.isSubmitting)
}

beforeEach(() => {
  closePage = openPage(() => undefined, { globals: { XMLHttpRequest: Upload } })
})
afterEach(() => {
  page.close()
  closePage()
})

it('a picked file stays after a refusal that is not about it, ready to be sent again', async () => {
  const refusals = [
    [409, { code: 'illegal_move', error: 'This ticket is closed.' }],
    [429, { code: 'too_many_requests', error: 'Wait.', errors: { file: ['Wait.'] } }],
  ] as const
  for (const [status, body] of refusals) {
    await sendRefused(status, body)
    assert.deepEqual([shown.picked?.file.name, shown.picked?.share], ['statement.pdf', 0], body.code)
    page.close()
  }
})

it('a file that is wrong itself, and one that may have arrived, are not offered again', async () => {
  const { fileInfected } = fileTexts
  await sendRefused(422, { code: 'invalid_input', error: fileInfected, errors: { file: [fileInfected] } })
  assert.deepEqual([shown.picked, shown.error], [null, fileInfected])
  page.close()
  await sendRefused(0, {})
  assert.equal(shown.picked, null)
})
