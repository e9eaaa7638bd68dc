import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { answerKindOf, hasAnswer } from '@atrium/contract/forms/field-settings.ts'
import { isRule, type Rule } from '@atrium/contract/forms/rules.ts'
import { decimalsMax } from '@atrium/contract/money/typed-number.ts'
import { ActionIcon, Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type Ref, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { focusWhenLost } from '../../../ui/feedback/focus-heading.ts'
import { DecimalField } from '../../../ui/fields/decimal-field.tsx'
import { MultiSelect } from '../../../ui/fields/multi-select.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { allFields } from '../form-names.ts'
import parts from './builder.module.css'
import { choicesOf, effectLabels, operatorLabels, operatorsOf } from './condition-labels.ts'
import {
  type Condition,
  type ConditionGroup,
  type ConditionPart,
  groupDepthMax,
  isGroup,
  type Operator,
  readRule,
  takesList,
  takesNoValue,
  writeRule,
} from './condition-text.ts'

type ConditionEditorProps = {
  /** The effect of the condition, e.g. "Shown when". */
  label: string
  /** The effect without a condition, e.g. "Always shown". */
  without: string
  definition: FormDefinition
  /** The field that the condition belongs to; it cannot depend on its own answer. */
  of: string
  rule: Rule | undefined
  onChange: (rule: Rule | null) => void
}

/** A visual condition editor. An imported rule that it cannot represent is edited as JSON and not altered. */
export function ConditionEditor(props: ConditionEditorProps) {
  const { label, without, definition, of, rule, onChange } = props
  const { t } = useTranslation()
  const read = rule === undefined ? null : readRule(rule)
  // Holds incomplete conditions, which are no valid rule, until they are complete or the rule changes elsewhere.
  const [draft, setDraft] = useState<{ group: ConditionGroup; text: string } | null>(null)
  const adding = useRef<HTMLButtonElement>(null)
  const text = JSON.stringify(rule ?? null)
  const group = draft?.text === text ? draft.group : read
  if (rule !== undefined && group === null) return <JsonCondition {...props} rule={rule} />
  const fields = allFields(definition).filter((field) => field.input_name !== of && hasAnswer(field))
  const byName = new Map(fields.map((field) => [field.input_name, field]))
  const change = (next: ConditionGroup | null) => {
    const written = next && writeRule(next)
    setDraft(next && { group: next, text: JSON.stringify(written ?? null) })
    if (JSON.stringify(written ?? null) !== text) onChange(written)
  }
  // A removed condition takes its button along, and an empty group its conditions.
  const onRemove = (remove: () => void) => {
    flushSync(remove)
    focusWhenLost(adding.current)
  }
  const effect = <p className={parts.quiet}>{effectLabels({ stored: read, without, fields: byName }, t)}</p>
  return (
    <fieldset className={parts.group} aria-label={label}>
      <legend>{label}</legend>
      {group && group.parts.length > 0 ? (
        <>
          <GroupEditor group={group} depth={1} fields={fields} adding={adding} onRemove={onRemove} onChange={change} />
          {effect}
        </>
      ) : (
        <>
          {effect}
          {fields.length > 0 && (
            <Add
              button={adding}
              label={t('Add a condition')}
              onAdd={() => change({ joins: 'and', parts: [firstOf(fields)] })}
            />
          )}
        </>
      )}
    </fieldset>
  )
}

function firstOf(fields: FormField[]): Condition {
  const [field] = fields
  return { field: '', operator: field ? (operatorsOf(field.type)[0] ?? 'filled') : 'filled', value: null }
}

type AddProps = { button?: Ref<HTMLButtonElement>; label: string; onAdd: () => void }

function Add({ button, label, onAdd }: AddProps) {
  return (
    <Button
      {...(button && { ref: button })}
      size="compact-xs"
      variant="subtle"
      justify="flex-start"
      leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
      onClick={onAdd}
    >
      {label}
    </Button>
  )
}

type GroupEditorProps = {
  group: ConditionGroup
  depth: number
  fields: FormField[]
  adding?: Ref<HTMLButtonElement>
  /** Does what removes a condition. */
  onRemove: (remove: () => void) => void
  /** Null when the group is empty. */
  onChange: (group: ConditionGroup | null) => void
}

function GroupEditor({ group, depth, fields, adding, onRemove, onChange }: GroupEditorProps) {
  const { t } = useTranslation()
  const put = (at: number, part: ConditionPart | null) => {
    const next = part ? group.parts.with(at, part) : group.parts.toSpliced(at, 1)
    onChange(next.length > 0 ? { ...group, parts: next } : null)
  }
  const add = (part: ConditionPart) => onChange({ ...group, parts: [...group.parts, part] })
  return (
    <div className={depth > 1 ? parts.nested : undefined} data-stack="sm">
      {group.parts.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t('Which conditions must be met')}
          data={[
            { value: 'and', label: t('All of these') },
            { value: 'or', label: t('Any of these') },
          ]}
          value={group.joins}
          onChange={(joins) => onChange({ ...group, joins: joins === 'or' ? 'or' : 'and' })}
        />
      )}
      {group.parts.map((part, at) =>
        isGroup(part) ? (
          <GroupEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no names, and stay where they are
            key={at}
            group={part}
            depth={depth + 1}
            fields={fields}
            onRemove={onRemove}
            onChange={(next) => put(at, next)}
          />
        ) : (
          <OneCondition
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no names, and stay where they are
            key={at}
            condition={part}
            fields={fields}
            number={at + 1}
            onRemove={() => onRemove(() => put(at, null))}
            onChange={(next) => put(at, next)}
          />
        ),
      )}
      <div>
        <Add {...(adding && { button: adding })} label={t('Add a condition')} onAdd={() => add(firstOf(fields))} />
        {depth < groupDepthMax && (
          <Add
            label={t('Add a group')}
            onAdd={() =>
              add({ joins: group.joins === 'and' ? 'or' : 'and', parts: [firstOf(fields), firstOf(fields)] })
            }
          />
        )}
      </div>
    </div>
  )
}

type OneProps = {
  condition: Condition
  fields: FormField[]
  number: number
  onRemove: () => void
  onChange: (condition: Condition) => void
}

function OneCondition({ condition, fields, number, onRemove, onChange }: OneProps) {
  const { t } = useTranslation()
  const field = fields.find(({ input_name }) => input_name === condition.field)
  const offered = field ? operatorsOf(field.type) : []
  const operators = offered.includes(condition.operator) ? offered : [condition.operator, ...offered]
  const pick = (name: string | null) => {
    const next = fields.find(({ input_name }) => input_name === name)
    if (next) onChange({ field: next.input_name, operator: operatorsOf(next.type)[0] ?? 'filled', value: null })
  }
  return (
    <div className={parts.condition}>
      <div data-stack="xs">
        <Select
          size="xs"
          searchable
          allowDeselect={false}
          aria-label={t('Field of condition {{number}}', { number })}
          placeholder={t('Field')}
          data={[
            ...fields.map(({ input_name, name }) => ({ value: input_name, label: name || input_name })),
            ...(field || condition.field === '' ? [] : [{ value: condition.field, label: condition.field }]),
          ]}
          value={condition.field || null}
          onChange={pick}
        />
        {condition.field !== '' && (
          <Select
            size="xs"
            allowDeselect={false}
            aria-label={t('Comparison of condition {{number}}', { number })}
            data={operators.map((operator) => ({ value: operator, label: t(operatorLabels[operator]) }))}
            value={condition.operator}
            onChange={(operator) => operator && onChange(withOperator(condition, operator as Operator))}
          />
        )}
        {condition.field !== '' && !takesNoValue(condition.operator) && (
          <ValueField condition={condition} field={field} number={number} onChange={onChange} />
        )}
      </div>
      <ActionIcon size={26} aria-label={t('Remove condition {{number}}', { number })} onClick={onRemove}>
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}

/** Keeps the value as far as the new operator accepts it. */
function withOperator({ field, value }: Condition, operator: Operator): Condition {
  if (takesNoValue(operator)) return { field, operator, value: null }
  const first = Array.isArray(value) ? (value[0] ?? null) : value
  return { field, operator, value: takesList(operator) ? (first === null ? [] : [first]) : first }
}

type ValueProps = Omit<OneProps, 'fields' | 'onRemove'> & { field: FormField | undefined }

function ValueField({ condition, field, number, onChange }: ValueProps) {
  const { t } = useTranslation()
  const { operator, value } = condition
  const choices = field ? choicesOf(field, t) : null
  const label = t('Value of condition {{number}}', { number })
  const texts = (Array.isArray(value) ? value : value === null ? [] : [value]).map(String)
  if (takesList(operator) || choices) {
    // A value that is no longer offered stays visible.
    const gone = texts.filter((text) => choices && !choices.some((choice) => choice.value === text))
    const data = [...(choices ?? []), ...gone.map((text) => ({ value: text, label: text }))]
    if (takesList(operator) && choices)
      return (
        <MultiSelect
          size="xs"
          searchable
          aria-label={label}
          placeholder={texts.length === 0 ? t('Values') : ''}
          data={data}
          value={texts}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      )
    if (choices)
      return (
        <Select
          size="xs"
          searchable
          allowDeselect={false}
          aria-label={label}
          placeholder={t('Value')}
          data={data}
          value={texts[0] ?? null}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      )
  }
  if (takesList(operator))
    return (
      <TextInput
        size="xs"
        aria-label={label}
        placeholder={t('Values, separated by commas')}
        value={texts.join(',')}
        onChange={(event) => {
          const next = event.currentTarget.value
          onChange({ ...condition, value: next === '' ? [] : next.split(',') })
        }}
      />
    )
  if (field && ['number', 'computed'].includes(answerKindOf(field.type)))
    return (
      <DecimalField
        size="xs"
        line="between"
        aria-label={label}
        placeholder={t('Value')}
        decimals={decimalsMax}
        value={texts[0] ?? ''}
        onChange={(next) => onChange({ ...condition, value: next })}
      />
    )
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={field?.type === 'date' ? t('2026-12-31') : field?.type === 'time' ? t('13:30') : t('Value')}
      value={texts[0] ?? ''}
      onChange={(event) => onChange({ ...condition, value: event.currentTarget.value })}
    />
  )
}

/** For rules beyond the visual editor. The JSON is validated before it is applied, and can be replaced by visual conditions. */
function JsonCondition({ label, rule, onChange }: ConditionEditorProps & { rule: Rule }) {
  const { t } = useTranslation()
  const json = JSON.stringify(rule, null, 2)
  const [typed, setTyped] = useState<{ text: string; json: string } | null>(null)
  const text = typed?.json === json ? typed.text : json
  const wanted = ruleOf(text)
  return (
    <fieldset className={parts.group} aria-label={label}>
      <legend>{label}</legend>
      <p className={parts.quiet}>{t('This condition is too complex for this editor. It is kept unchanged.')}</p>
      <Textarea
        size="xs"
        className={parts.code ?? ''}
        aria-label={t('Condition as JSON')}
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        value={text}
        error={wanted ? undefined : t('This is not a valid condition.')}
        onChange={(event) => setTyped({ text: event.currentTarget.value, json })}
      />
      <div>
        {text !== json && (
          <Button size="compact-xs" disabled={!wanted} onClick={() => wanted && onChange(wanted.rule)}>
            {t('Apply')}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={() => onChange(null)}>
          {t('Discard')}
        </Button>
      </div>
    </fieldset>
  )
}

function ruleOf(text: string): { rule: Rule } | null {
  try {
    const rule: unknown = JSON.parse(text)
    return isRule(rule) ? { rule } : null
  } catch {
    return null
  }
}
