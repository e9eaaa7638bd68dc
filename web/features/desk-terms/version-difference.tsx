import type { TermsText } from '@atrium/contract/terms/desk-calls.ts'
import { useMemo } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'
import { compareLines, type DifferentLine, foldSame, type Piece } from './difference.ts'
import { readableLines } from './readable-lines.ts'
import { sectionsInWords } from './terms-labels.ts'
import { fieldLabels } from './use-terms-form.ts'

type VersionDifferenceProps = { before: TermsText; after: TermsText }

/** Every line of the newer text with removals and additions; short fields only where they differ. */
export function VersionDifference({ before, after }: VersionDifferenceProps) {
  const { t } = useTranslation()
  const lines = useMemo(() => linesOf(before.template, after.template), [before.template, after.template])
  const fields = [
    [fieldLabels.name, before.name, after.name],
    [fieldLabels.tickbox_text, before.tickbox_text, after.tickbox_text],
    [
      fieldLabels.blocked_portal_sections,
      sectionsInWords(before.blocked_portal_sections, t),
      sectionsInWords(after.blocked_portal_sections, t),
    ],
  ].filter(([, one, other]) => one !== other) as [string, string, string][]
  const isSame = lines.every(({ kind }) => kind === 'same')
  return (
    <div data-stack="lg">
      {fields.map(([label, one, other]) => (
        <section key={label} className={parts.field} aria-label={t(label)}>
          <h4 className={parts.fieldName}>{t(label)}</h4>
          {compareLines([one], [other]).map((line) => (
            <Line key={keyOf(line)} line={line} />
          ))}
        </section>
      ))}
      <section className={parts.field} aria-label={t(fieldLabels.template)}>
        <h4 className={parts.fieldName}>{t(fieldLabels.template)}</h4>
        {isSame && <p className={parts.quiet}>{t('The texts are identical.')}</p>}
        {!isSame &&
          numbered(foldSame(lines)).map(([key, line]) =>
            line.kind === 'folded' ? (
              <p key={key} className={parts.folded}>
                {line.count === 1 ? t('1 line unchanged') : t('{{count}} lines unchanged', { count: line.count })}
              </p>
            ) : (
              <Line key={key} line={line} />
            ),
          )}
      </section>
    </div>
  )
}

const linesOf = (before: string, after: string) => compareLines(readableLines(before), readableLines(after))
const keyOf = ({ kind, pieces }: DifferentLine) => `${kind} ${pieces.map(({ text }) => text).join('')}`
/** The index is part of the key, because a line can occur twice. */
const numbered = <Each,>(all: Each[]): [number, Each][] => all.map((each, index) => [index, each])

const signs = { same: '', gone: '\u2212', new: '+', changed: '\u00b1' } as const
const labels = { same: '', gone: 'Removed:', new: 'New:', changed: 'Changed:' } as const

function Line({ line: { kind, pieces } }: { line: DifferentLine }) {
  const { t } = useTranslation()
  return (
    <p className={`${parts.line} ${parts[kind]}`}>
      <span className={parts.sign} aria-hidden>
        {signs[kind]}
      </span>
      <span className={parts.lineText}>
        {kind !== 'same' && <span className={parts.hidden}>{t(labels[kind])} </span>}
        {numbered(pieces).map(([key, piece]) => (
          <PieceText key={key} piece={piece} />
        ))}
      </span>
    </p>
  )
}

function PieceText({ piece: { kind, text } }: { piece: Piece }) {
  if (kind === 'same') return text
  return kind === 'gone' ? <del>{text}</del> : <ins>{text}</ins>
}
