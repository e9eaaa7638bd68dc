import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useConfirm } from '../feedback/confirm.tsx'
import { focusWhenLost } from '../feedback/focus-heading.ts'
import { useTranslation } from '../text/use-translation.ts'
import { fitPicture } from './fit-picture.ts'
import parts from './picture-field.module.css'

type PictureFieldProps = {
  label: string
  /** The alternative text of the current picture. */
  alt: string
  url: string | null
  hint: string
  /** The label of the remove button; null when there is no picture. */
  removal: string | null
  /** A picture in base64, scaled down to the limit; null removes it. Shows its own confirmation. */
  save: (picture: string | null) => Promise<unknown>
  isSaving: boolean
}

/** Saves immediately, without a save button. */
export function PictureField({ label, alt, url, hint, removal, save, isSaving }: PictureFieldProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const input = useRef<HTMLInputElement>(null)
  const choosing = useRef<HTMLButtonElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const set = async (file: File | null) => {
    setProblem(null)
    const picture = file && (await fitPicture(file).catch(() => undefined))
    if (picture === undefined) return setProblem('This picture cannot be read. Please choose a PNG or JPEG picture.')
    await save(picture).catch((error: Error) => setProblem(error.message))
  }
  const remove = async (action: string) => {
    const yes = await confirm({
      title: t('Remove this picture?'),
      body: t('It is removed at once. To show it again, you need its file.'),
      action,
      isDangerous: true,
    })
    if (!yes) return
    await set(null)
    // The button is gone with the picture.
    setTimeout(() => focusWhenLost(choosing.current))
  }
  return (
    <div>
      <span className={parts.label}>{label}</span>
      <div className={parts.row}>
        <span className={parts.picture}>{url && <img src={url} alt={alt} />}</span>
        <input
          ref={input}
          type="file"
          accept=".png,.jpg,.jpeg"
          className={parts.hidden}
          tabIndex={-1}
          aria-label={t('{{label}}: picture', { label })}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            event.currentTarget.value = ''
            if (file) set(file)
          }}
        />
        <Button ref={choosing} variant="default" loading={isSaving} onClick={() => input.current?.click()}>
          {t('Choose a picture')}
        </Button>
        {removal && (
          <Button variant="subtle" onClick={() => remove(removal)}>
            {removal}
          </Button>
        )}
      </div>
      <p className={problem ? parts.problem : parts.quiet} role={problem ? 'alert' : undefined}>
        {problem ? t(problem) : hint}
      </p>
    </div>
  )
}
