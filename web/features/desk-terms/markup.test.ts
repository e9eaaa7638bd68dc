import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editWith, type Tool } from './markup.ts'

/** The text after a press; what is marked stands between bars, before and after. */
function press(tool: Tool, written: string): string {
  const from = written.indexOf('|')
  const to = written.indexOf('|', from + 1) - 1
  const text = written.replaceAll('|', '')
  const edit = editWith(tool, { text, from, to })
  const after = text.slice(0, edit.from) + edit.text + text.slice(edit.to)
  const [start, end] = edit.marks
  return `${after.slice(0, start)}|${after.slice(start, end)}|${after.slice(end)}`
}

describe('the toolbar of the text of terms', () => {
  it('turns bold and italic on around what is marked, and off again', () => {
    assert.equal(press('bold', 'all |of| it'), 'all <strong>|of|</strong> it')
    assert.equal(press('bold', 'all <strong>|of|</strong> it'), 'all |of| it')
    assert.equal(press('italic', '||'), '<em>|text|</em>')
  })

  it('makes headings of whole lines, and another one of a heading', () => {
    assert.equal(press('heading', 'one\n|tw|o\nthree'), 'one\n|<h2>two</h2>|\nthree')
    assert.equal(press('subheading', '<h2>t|w|o</h2>'), '|<h3>two</h3>|')
    assert.equal(press('heading', '||'), '|<h2>Heading</h2>|')
  })

  it('makes paragraphs between empty lines, and lists of lines', () => {
    assert.equal(press('paragraph', '|one\nmore\n\ntwo|'), '|<p>one\nmore</p>\n<p>two</p>|')
    assert.equal(press('list', '|one\n\n<p>two</p>|'), '|<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>|')
    assert.equal(press('numbers', '||'), '|<ol>\n  <li>Text</li>\n</ol>|')
  })

  it('leaves the address of a link to be written', () => {
    assert.equal(press('link', 'see |here|'), 'see <a href="|https://|">here</a>')
  })
})
