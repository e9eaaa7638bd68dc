import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconBold,
  IconH2,
  IconH3,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPilcrow,
} from '@tabler/icons-react'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { requiredLabel } from '../../ui/required-label.ts'
import { Textarea } from '../../ui/text-area.tsx'
import parts from './desk-terms.module.css'
import { type Edit, editWith, type Tool, tools } from './markup.ts'

const buttons: Record<Tool, { label: string; icon: typeof IconBold }> = {
  heading: { label: 'Heading', icon: IconH2 },
  subheading: { label: 'Subheading', icon: IconH3 },
  paragraph: { label: 'Paragraphs', icon: IconPilcrow },
  bold: { label: 'Bold', icon: IconBold },
  italic: { label: 'Italic', icon: IconItalic },
  list: { label: 'List', icon: IconList },
  numbers: { label: 'Numbered list', icon: IconListNumbers },
  link: { label: 'Link', icon: IconLink },
}

const keyTools: Record<string, Tool> = { b: 'bold', i: 'italic' }

type MarkupFieldProps = {
  label: string
  description: string
  value: string
  charsMax: number
  error: string | undefined
  onChange: (text: string) => void
}

/** HTML to write, with buttons for what contracts are made of. */
export function MarkupField({ label, description, value, charsMax, error, onChange }: MarkupFieldProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLTextAreaElement>(null)
  const press = (tool: Tool) => {
    const area = field.current
    if (!area) return
    replaceIn(area, editWith(tool, { text: area.value, from: area.selectionStart, to: area.selectionEnd }))
    onChange(area.value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const tool = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && keyTools[event.key]
    if (!tool) return
    event.preventDefault()
    press(tool)
  }
  const toolbar = (
    <fieldset className={parts.toolbar} aria-label={t('Formatting')}>
      {tools.map((tool) => {
        const { label: name, icon: Icon } = buttons[tool]
        return (
          <Tooltip key={tool} label={t(name)}>
            <ActionIcon size={32} aria-label={t(name)} onClick={() => press(tool)}>
              <Icon size={18} stroke={1.5} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )
      })}
    </fieldset>
  )
  return (
    <Textarea
      ref={field}
      label={label}
      labelProps={requiredLabel}
      description={description}
      inputContainer={(input) => (
        <div className={parts.markup}>
          {toolbar}
          {input}
        </div>
      )}
      size="sm"
      autosize
      minRows={16}
      maxRows={28}
      charsMax={charsMax}
      spellCheck
      classNames={{ input: parts.code ?? '' }}
      error={error}
      value={value}
      onKeyDown={onKeyDown}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** As if it were typed, so that the browser can take it back; where it cannot do that, simply put there. */
function replaceIn(area: HTMLTextAreaElement, { from, to, text, marks }: Edit): void {
  area.focus()
  area.setSelectionRange(from, to)
  if (!document.execCommand('insertText', false, text)) area.setRangeText(text, from, to)
  area.setSelectionRange(...marks)
}
