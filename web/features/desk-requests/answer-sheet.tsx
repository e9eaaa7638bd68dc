import { isHeld } from '@atrium/contract/files/calls.ts'
import { countryByCode } from '@atrium/contract/members/countries.ts'
import { Fragment } from 'react'
import { fileAddress } from '../../api/address.ts'
import { ReleaseFile } from '../../forms/release-file.tsx'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import { Thumbnail } from '../../ui/files/thumbnail.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { calendarDay } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Answered, type AnsweredField, layOut } from './answer-labels.ts'
import parts from './requests.module.css'

/** The answers in the form's layout, below the points of a questionnaire. */
export function AnswerSheet({ answered }: { answered: Answered }) {
  const { t } = useTranslation()
  const steps = layOut(answered, {
    yes: t('Yes'),
    no: t('No'),
    day: calendarDay,
    country: (code) => countryByCode(code)?.name ?? code,
  })
  const { scores, form } = answered
  return (
    <Section
      title={t('Answers')}
      more={<span className={parts.quiet}>{t('{{name}}, version {{version}}', form)}</span>}
    >
      <div data-stack="lg">
        {scores && (
          <div className={parts.score}>
            <span>{scores.band ? <strong>{scores.band.name}</strong> : t('Points')}</span>
            <span className={parts.scoreTotal}>
              {scores.total === 1 ? t('1 point') : t('{{total}} points', { total: scores.total })}
            </span>
            {scores.band && <span>{scores.band.text}</span>}
          </div>
        )}
        {steps.map(({ _id, name, rows }) => (
          <section key={_id} aria-label={name}>
            {steps.length > 1 && <h3 className={parts.stepName}>{name}</h3>}
            {rows.map((row) => (
              <dl key={row[0]?.field.input_name} className={parts.answerRow}>
                {row.map((entry) => (
                  <div key={entry.field.input_name} className={parts.answer}>
                    <dt>{entry.field.name}</dt>
                    <dd>
                      <Given entry={entry} files={answered.files} />
                    </dd>
                  </div>
                ))}
              </dl>
            ))}
          </section>
        ))}
      </div>
    </Section>
  )
}

function Given({ entry, files }: { entry: AnsweredField; files: Answered['files'] }) {
  const given = files.filter(({ _id }) => entry.files.includes(_id))
  if (given.length === 0) return entry.text ?? '\u2013'
  return given.map((file) => (
    <Fragment key={file._id}>
      <a className={parts.file} href={fileAddress(file.url)} target="_blank" rel="noreferrer">
        <Thumbnail
          src={fileAddress(file.url)}
          isPicture={file.is_image && !isHeld(file.scan)}
          className={parts.thumbnail}
        />
        <span>
          {file.name} {!file.is_unscannable && <ScanMark scan={file.scan} isShort />}
        </span>
      </a>
      <ReleaseFile file={file} />
    </Fragment>
  ))
}
