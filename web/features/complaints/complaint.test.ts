import assert from 'node:assert/strict'
import { it } from 'node:test'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { checkComplaint, mailOf } from './complaint.ts'

it('a complaint has a subject and a description', () => {
  assert.deepEqual(checkComplaint({ subject: ' ', description: '' }), {
    subject: validatorTexts.required,
    description: validatorTexts.required,
  })
  assert.deepEqual(checkComplaint({ subject: 'a', description: 'b' }), {})
})

it('a complaint goes by mail as it was written, and cannot write headers of its own', () => {
  const subject = 'Late & lost?\r\nBcc: all@evil.example'
  const description = 'Line one\nLine two &body=x #1 % é 😀 \ud800'
  const address = new URL(mailOf({ subject, description }, 'help@harbour.example'))
  assert.equal(address.protocol, 'mailto:')
  assert.equal(address.pathname, 'help@harbour.example')
  assert.deepEqual([...address.searchParams.keys()], ['subject', 'body'])
  assert.equal(address.searchParams.get('subject'), 'Late & lost?  Bcc: all@evil.example')
  assert.equal(address.searchParams.get('body'), 'Line one\r\nLine two &body=x #1 % é 😀 \ufffd')
  assert.ok(!mailOf({ subject: 'a', description: 'b' }, 'x@y.zz?cc=all@evil.example').includes('?cc='))
})
