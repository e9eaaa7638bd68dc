import { isTermsLink } from '@atrium/contract/terms/html.ts'
import { termsTexts } from '@atrium/contract/terms/texts.ts'
import { ActionIcon, Button, Input } from '@mantine/core'
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
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Tooltip } from '../../ui/tooltip/tooltip.tsx'
import parts from './desk-terms.module.css'
import { htmlOfText, readRichText, writeRichText } from './rich-text.ts'

type Tool = { label: string; icon: typeof IconBold; command: string; value?: string }

const tools: readonly Tool[] = [
  { label: 'Heading', icon: IconH2, command: 'formatBlock', value: 'h2' },
  { label: 'Subheading', icon: IconH3, command: 'formatBlock', value: 'h3' },
  { label: 'Paragraphs', icon: IconPilcrow, command: 'formatBlock', value: 'p' },
  { label: 'Bold', icon: IconBold, command: 'bold' },
  { label: 'Italic', icon: IconItalic, command: 'italic' },
  { label: 'List', icon: IconList, command: 'insertUnorderedList' },
  { label: 'Numbered list', icon: IconListNumbers, command: 'insertOrderedList' },
]

/** `execCommand` is deprecated, but it supports undo and needs no library. */
const run = (command: string, value?: string) => document.execCommand(command, false, value)

type RichTextFieldProps = {
  label: string
  description: string
  value: string
  charsMax: number
  error: string | undefined
  onChange: (html: string) => void
}

/** A WYSIWYG editor with the formatting that contracts need, so that staff need no HTML. */
export function RichTextField({ label, description, value, charsMax, error, onChange }: RichTextFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const area = useRef<HTMLDivElement>(null)
  const written = useRef<string | null>(null)
  useEffect(() => {
    // Skips text that was typed here, which would lose the cursor.
    if (!area.current || written.current === value) return
    area.current.replaceChildren(readRichText(value))
    written.current = value
  }, [value])
  const report = () => {
    if (!area.current) return
    written.current = writeRichText(area.current)
    onChange(written.current)
  }
  const press = ({ command, value: block }: Tool) => {
    area.current?.focus()
    run(command, block)
    report()
  }
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    const html = event.clipboardData.getData('text/html')
    const holder = document.createElement('div')
    holder.append(readRichText(html || htmlOfText(event.clipboardData.getData('text/plain'))))
    run('insertHTML', holder.innerHTML)
    report()
  }
  const tooLong = value.length > charsMax ? t(termsTexts.termsTooLong, { count: charsMax }) : undefined
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ ...requiredLabel, id: `${id}-label` }}
      description={description}
      descriptionProps={{ id: `${id}-description` }}
      error={error ?? tooLong}
      errorProps={{ id: `${id}-error` }}
      size="sm"
    >
      <div className={parts.markup}>
        <Toolbar area={area} onPress={press} onLinked={report} />
        {/* biome-ignore lint/a11y/useSemanticElements: a text area holds no headings, lists and links. */}
        <div
          ref={area}
          className={parts.rich}
          role="textbox"
          aria-multiline
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-description ${id}-error`}
          aria-invalid={(error ?? tooLong) !== undefined || undefined}
          tabIndex={0}
          contentEditable
          suppressContentEditableWarning
          spellCheck
          onFocus={() => run('defaultParagraphSeparator', 'p')}
          onInput={report}
          onPaste={paste}
        />
      </div>
    </Input.Wrapper>
  )
}

const link = { label: 'Link', icon: IconLink } as const

type ToolbarProps = { area: RefObject<HTMLDivElement | null>; onPress: (tool: Tool) => void; onLinked: () => void }

function Toolbar({ area, onPress, onLinked }: ToolbarProps) {
  const { t } = useTranslation()
  const [marked, setMarked] = useState<Range | null>(null)
  const startLink = () => {
    const selection = document.getSelection()
    const isInside = selection?.rangeCount && area.current?.contains(selection.anchorNode)
    if (isInside) setMarked(selection.getRangeAt(0).cloneRange())
    else area.current?.focus()
  }
  const finish = (href: string | null) => {
    const selection = document.getSelection()
    area.current?.focus()
    if (marked && selection) {
      selection.removeAllRanges()
      selection.addRange(marked)
      if (href === '') run('unlink')
      else if (href !== null && marked.collapsed) run('insertHTML', linkTo(href))
      else if (href !== null) run('createLink', href)
      onLinked()
    }
    setMarked(null)
  }
  return (
    <>
      <fieldset className={parts.toolbar} aria-label={t('Formatting')}>
        {tools.map((tool) => (
          <ToolButton key={tool.label} {...tool} onClick={() => onPress(tool)} />
        ))}
        <ToolButton {...link} onClick={startLink} />
      </fieldset>
      {marked && <LinkRow onDone={finish} />}
    </>
  )
}

function linkTo(href: string): string {
  const link = document.createElement('a')
  link.setAttribute('href', href)
  link.textContent = href
  return link.outerHTML
}

type ToolButtonProps = Pick<Tool, 'label' | 'icon'> & { onClick: () => void }

/** Keeps the text selection when pressed. */
function ToolButton({ label, icon: Icon, onClick }: ToolButtonProps) {
  const { t } = useTranslation()
  return (
    <Tooltip label={t(label)}>
      <ActionIcon size={32} aria-label={t(label)} onMouseDown={(event) => event.preventDefault()} onClick={onClick}>
        <Icon size={18} stroke={1.5} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** The target of a link; null cancels, an empty text removes the link. */
function LinkRow({ onDone }: { onDone: (href: string | null) => void }) {
  const { t } = useTranslation()
  const [href, setHref] = useState('https://')
  const [isWrong, setWrong] = useState(false)
  const set = () => (isTermsLink(href.trim()) ? onDone(href.trim()) : setWrong(true))
  // The row is inside the form, which Enter would submit.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') set()
    else onDone(null)
  }
  return (
    <div className={parts.linkRow}>
      <TextInput
        data-autofocus
        autoFocus
        size="xs"
        label={t('Link address')}
        value={href}
        error={isWrong && t('Enter an address that begins with https://, mailto:, tel: or /.')}
        onKeyDown={onKeyDown}
        onChange={(event) => setHref(event.currentTarget.value)}
      />
      <Button size="xs" onClick={set}>
        {t('Set link')}
      </Button>
      <Button size="xs" variant="default" onClick={() => onDone('')}>
        {t('Remove link')}
      </Button>
    </div>
  )
}
