import { accentOf, contexts } from '../../ui/brand/accent.ts'
import { BrandLogo } from '../../ui/brand/brand-logo.tsx'
import { contrast } from '../../ui/brand/colour.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './settings.module.css'

type BrandPreviewProps = { name: string; accent: string; logo: string | null }

/** A small, inert sign-in screen in both colour schemes, with the contrast of its text. */
export function BrandPreview(props: BrandPreviewProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={parts.previews}>
      <legend className={parts.legend}>{t('How it will look')}</legend>
      <Preview {...props} scheme="light" label={t('Light')} />
      <Preview {...props} scheme="dark" label={t('Dark')} />
    </fieldset>
  )
}

type PreviewProps = BrandPreviewProps & { scheme: 'light' | 'dark'; label: string }

function Preview({ name, accent, logo, scheme, label }: PreviewProps) {
  const { t } = useTranslation()
  const shades = accentOf(accent, scheme)
  const { surface } = contexts[scheme]
  const onButton = contrast(shades.fill, shades.onFill)
  const asLink = contrast(shades.text, surface)
  const ratio = (value: number) => `${value.toFixed(1)}:1`
  return (
    <figure className={parts.preview}>
      <div
        className={parts.miniature}
        style={{ background: surface, color: scheme === 'light' ? '#10151f' : '#eceff4' }}
      >
        <BrandLogo name={name} logo={logo} />
        <span className={parts.line} />
        <span className={parts.line} />
        <span className={parts.button} style={{ background: shades.fill, color: shades.onFill }}>
          {t('Sign in')}
        </span>
        <span className={parts.link} style={{ color: shades.text }}>
          {t('Forgot your password?')}
        </span>
      </div>
      <figcaption className={parts.quiet}>
        <strong>{label}</strong>{' '}
        {t('text on buttons {{button}}, links {{link}} (at least 4.5:1)', {
          button: ratio(onButton),
          link: ratio(asLink),
        })}
      </figcaption>
    </figure>
  )
}
