import { Button } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { notice } from '../../ui/notice.ts'
import { fitLogo } from './fit-logo.ts'
import parts from './settings.module.css'
import { useLogo, useWorkspace } from './use-workspace.ts'

/** Saved at once: a picture is looked at, not filled in. */
export function LogoField() {
  const { t } = useTranslation()
  const id = useId()
  const { logo_url } = useWorkspace()
  const logo = useLogo()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const set = async (file: File | null) => {
    setProblem(null)
    try {
      await logo.mutateAsync(file && (await fitLogo(file)))
      notice.done(file ? t('The new logo is shown from now on.') : t('The logo is gone.'))
    } catch (error) {
      const words = error instanceof ApiError ? (error.fieldErrors.logo?.join(' ') ?? error.message) : null
      setProblem(words ?? 'This picture cannot be read. Please choose a PNG or JPEG picture.')
    }
  }
  return (
    <div>
      <span className={parts.label}>{t('Logo')}</span>
      <div className={parts.logoRow}>
        <span className={parts.logo}>{logo_url && <img src={logo_url} alt={t('The logo as it is now')} />}</span>
        <input
          ref={input}
          id={id}
          type="file"
          accept=".png,.jpg,.jpeg"
          className={parts.hidden}
          tabIndex={-1}
          aria-label={t('Logo picture')}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            event.currentTarget.value = ''
            if (file) set(file)
          }}
        />
        <Button variant="default" loading={logo.isPending} onClick={() => input.current?.click()}>
          {t('Choose a picture')}
        </Button>
        {logo_url && (
          <Button variant="subtle" onClick={() => set(null)}>
            {t('Remove')}
          </Button>
        )}
      </div>
      <p className={problem ? parts.problem : parts.quiet} role={problem ? 'alert' : undefined}>
        {problem ? t(problem) : t('PNG or JPEG, best on a clear ground and not taller than wide. Saved at once.')}
      </p>
    </div>
  )
}
