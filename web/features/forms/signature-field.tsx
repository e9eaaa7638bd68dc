import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { Button } from '@mantine/core'
import { IconCheck, IconWritingSign } from '@tabler/icons-react'
import { type PointerEvent, useId, useRef, useState } from 'react'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useKeptFocus } from '../../ui/forms/use-row-focus.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { FieldFrame } from './field-frame.tsx'
import { useFormUpload } from './file-fields.tsx'
import parts from './form.module.css'
import { type FieldProps, textOf, useField } from './use-field.ts'

const ink = '#1a1f36'
const background = '#ffffff'
/** The canvas resolution per CSS pixel, for legible prints. */
const fineness = 2

/** Resizes the canvas to its display size and fills it with white, because a transparent picture would vanish on dark pages. */
function freshSheet(pad: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const { width, height } = pad.getBoundingClientRect()
  pad.width = Math.round(width * fineness)
  pad.height = Math.round(height * fineness)
  const pen = pad.getContext('2d')
  if (!pen) return null
  pen.fillStyle = background
  pen.fillRect(0, 0, pad.width, pad.height)
  pen.strokeStyle = ink
  pen.fillStyle = ink
  pen.lineWidth = 2.5 * fineness
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  return pen
}

function writeName(pad: HTMLCanvasElement, name: string): void {
  const pen = freshSheet(pad)
  if (!pen) return
  const room = pad.width * 0.9
  let size = 56 * fineness
  do {
    pen.font = `italic ${size}px "Segoe Script", "Snell Roundhand", "URW Chancery L", cursive`
    size -= 4
  } while (size > 24 && pen.measureText(name).width > room)
  pen.textBaseline = 'middle'
  pen.textAlign = 'center'
  pen.fillText(name, pad.width / 2, pad.height / 2, room)
}

/** Signed with finger, pen or mouse, or by typing the name on a keyboard. */
export function SignatureField({ store, field }: FieldProps) {
  const { t } = useTranslation()
  const { value, errors } = useField(store, field.input_name)
  const upload = useFormUpload(store, field, (id) => store.set(field.input_name, id))
  const again = () => {
    upload.remove()
    store.set(field.input_name, '')
  }
  const isSigned = textOf(value) !== ''
  const place = useKeptFocus<HTMLDivElement>(isSigned)
  return (
    <FieldFrame store={store} field={field}>
      {(labelled) => (
        <div ref={place} tabIndex={-1}>
          {isSigned ? (
            <div className={parts.file}>
              <IconCheck size={18} stroke={1.5} aria-hidden />
              <span className={parts.fileName}>{t('Signed')}</span>
              <Button variant="default" size="xs" onClick={again}>
                {t('Sign again')}
              </Button>
            </div>
          ) : (
            <fieldset
              className={parts.group}
              aria-labelledby={labelled['aria-labelledby']}
              aria-describedby={labelled['aria-describedby']}
            >
              <Pad
                isWrong={errors.length > 0}
                isBusy={upload.isSending}
                onSigned={upload.pick}
                // An upload that broke off would otherwise continue with the signature from before.
                onChange={upload.remove}
              />
              {upload.problem && (
                <p className={parts.error} role="alert">
                  {t(upload.problem)}
                </p>
              )}
            </fieldset>
          )}
        </div>
      )}
    </FieldFrame>
  )
}

type PadProps = { isWrong: boolean; isBusy: boolean; onSigned: (file: File) => void; onChange: () => void }

function Pad({ isWrong, isBusy, onSigned, onChange }: PadProps) {
  const { t } = useTranslation()
  const id = useId()
  const pad = useRef<HTMLCanvasElement>(null)
  const pen = useRef<CanvasRenderingContext2D | null>(null)
  const [isSigned, setSigned] = useState(false)
  const [name, setName] = useState('')

  const at = ({ nativeEvent }: PointerEvent) =>
    [nativeEvent.offsetX * fineness, nativeEvent.offsetY * fineness] as const
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (isBusy || event.button !== 0) return
    onChange()
    event.currentTarget.setPointerCapture(event.pointerId)
    // A drawing replaces a typed name.
    if (!isSigned || name !== '') freshSheet(event.currentTarget)
    setName('')
    pen.current = event.currentTarget.getContext('2d')
    pen.current?.beginPath()
    pen.current?.moveTo(...at(event))
  }
  const draw = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!pen.current) return
    pen.current.lineTo(...at(event))
    pen.current.stroke()
    setSigned(true)
  }
  const end = () => {
    pen.current = null
  }
  const clear = () => {
    onChange()
    if (pad.current) freshSheet(pad.current)
    setSigned(false)
    setName('')
  }
  const type = (typed: string) => {
    onChange()
    setName(typed)
    setSigned(typed.trim() !== '')
    if (pad.current) writeName(pad.current, typed.trim())
  }
  const keep = () =>
    pad.current?.toBlob((blob) => {
      if (blob) onSigned(new File([blob], 'signature.png', { type: 'image/png' }))
    }, 'image/png')
  return (
    <>
      <canvas
        ref={pad}
        className={`${parts.pad} ${isWrong ? parts.padWrong : ''}`}
        aria-label={t('Sign here with a finger, a pen or a mouse')}
        role="img"
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <div data-group="sm" data-align="end" data-above="sm">
        <TextInput
          id={id}
          className={parts.padName ?? ''}
          label={t('Or type your name')}
          value={name}
          aria-invalid={isWrong}
          charsMax={formLimits.optionValueCharsMax}
          autoComplete="name"
          disabled={isBusy}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <Button variant="default" disabled={!isSigned || isBusy} onClick={clear}>
          {t('Clear')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconWritingSign size={18} stroke={1.5} aria-hidden />}
          disabled={!isSigned}
          loading={isBusy}
          onClick={keep}
        >
          {t('Use this signature')}
        </Button>
      </div>
    </>
  )
}
