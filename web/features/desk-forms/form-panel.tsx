import type { FormDefinition, ResultBand } from '@atrium/contract/forms/definition.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useRowFocus } from '../../ui/forms/use-row-focus.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './builder/builder.module.css'
import { pointsRange } from './builder/points-range.ts'
import type { Editor } from './builder/use-form-editor.ts'
import { allFields } from './form-names.ts'

type FormPanelProps = { definition: FormDefinition; editor: Editor }

/** Shown without a selection: the form's size, and the result bands of a questionnaire. */
export function FormPanel({ definition, editor }: FormPanelProps) {
  const { t } = useTranslation()
  const bands = definition.result_bands
  const range = pointsRange(definition)
  const set = (next: ResultBand[], mark?: string) => editor.change((form) => ({ ...form, result_bands: next }), mark)
  const put = (at: number, part: Partial<ResultBand>) => {
    const band = bands[at]
    if (band) set(bands.with(at, { ...band, ...part }), `band ${at} ${Object.keys(part).join()}`)
  }
  const add = () => {
    const from = bands.length === 0 ? (range?.least ?? 0) : Math.max(...bands.map(({ to }) => to)) + 1
    set([...bands, { from, to: Math.max(from, range?.most ?? from), name: t('Result'), text: '' }])
  }
  const focus = useRowFocus<HTMLUListElement>()
  const steps = definition.steps.length
  const fields = allFields(definition).length
  return (
    <section className={parts.panel} aria-label={t('Form settings')}>
      <h3 className={parts.panelTitle}>{t('The whole form')}</h3>
      <p className={parts.quiet}>
        {t('{{steps}}, {{fields}}. Select a field to set it up.', {
          steps: steps === 1 ? t('1 step') : t('{{steps}} steps', { steps }),
          fields: fields === 1 ? t('1 field') : t('{{fields}} fields', { fields }),
        })}
      </p>
      <fieldset className={parts.group}>
        <legend>{t('Questionnaire results')}</legend>
        <p className={parts.quiet}>
          {range
            ? t('Points of the answers add up to between {{least}} and {{most}}.', range)
            : t('Give options points, and define here what their total means.')}
        </p>
        <ul ref={focus.list} data-stack="sm">
          {bands.map((band, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: bands have no names of their own
            <li key={at} className={parts.band}>
              <NumberField
                isDense
                label={t('From')}
                value={band.from}
                onChange={(from) => put(at, { from: from ?? 0 })}
              />
              <NumberField isDense label={t('To')} value={band.to} onChange={(to) => put(at, { to: to ?? 0 })} />
              <TextInput
                size="xs"
                label={t('Result')}
                charsMax={formLimits.labelCharsMax}
                value={band.name}
                onChange={(event) => put(at, { name: event.currentTarget.value })}
              />
              <ActionIcon
                size={26}
                aria-label={t('Remove {{result}}', { result: band.name })}
                onClick={() => focus.removed(at, () => set(bands.toSpliced(at, 1)))}
              >
                <IconTrash size={16} stroke={1.5} />
              </ActionIcon>
              <Textarea
                size="xs"
                className={parts.bandText ?? ''}
                aria-label={t('Text for {{result}}', { result: band.name })}
                placeholder={t('Text for members')}
                autosize
                minRows={1}
                maxRows={5}
                charsMax={formLimits.descriptionCharsMax}
                value={band.text}
                onChange={(event) => put(at, { text: event.currentTarget.value })}
              />
            </li>
          ))}
        </ul>
        {bands.length < formLimits.bandsMax && (
          <div>
            <Button
              ref={focus.adding}
              size="compact-xs"
              variant="subtle"
              leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
              onClick={() => focus.added(add)}
            >
              {t('Add a result')}
            </Button>
          </div>
        )}
      </fieldset>
    </section>
  )
}
