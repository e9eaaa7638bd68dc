import { limits } from '@atrium/contract/limits.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { PictureField } from '../../ui/files/picture-field.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { BrandPreview } from './brand-preview.tsx'
import { SectionForm } from './section-form.tsx'
import parts from './settings.module.css'
import { useLogo, useSection, useWorkspace } from './use-workspace.ts'

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text)

export function BrandSection() {
  const { t } = useTranslation()
  const form = useSection('brand')
  const { logo_url } = useWorkspace()
  const logo = useLogo()
  const { values, change, errorOf } = form
  return (
    <SectionForm
      title={t('Brand')}
      help={t('What members see on the sign-in page, around every page, and in emails.')}
      form={form}
    >
      <PictureField
        label={t('Logo')}
        alt={t('Current logo')}
        url={logo_url}
        hint={t('PNG or JPEG, ideally on a transparent background and wider than tall. Saved at once.')}
        removal={logo_url && t('Remove')}
        isSaving={logo.isPending}
        save={async (picture) => {
          await logo.mutateAsync(picture)
          toast.done(picture ? t('The new logo is shown from now on.') : t('The logo was removed.'))
        }}
      />
      <TextInput
        label={t('Name')}
        charsMax={limits.staffNameCharsMax}
        value={values.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('Accent')}
        description={t('Buttons, links and selected items. The shade is adjusted where text would be hard to read.')}
        charsMax={7}
        value={values.accent}
        error={errorOf('accent')}
        leftSection={
          <input
            type="color"
            className={parts.swatch}
            aria-label={t('Choose the accent')}
            value={isColour(values.accent) ? values.accent : '#000000'}
            onChange={(event) => change({ accent: event.currentTarget.value })}
          />
        }
        onChange={(event) => change({ accent: event.currentTarget.value })}
      />
      <TextInput
        label={t('Support email')}
        description={t('Shown in emails, and used as their reply address.')}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        charsMax={limits.emailCharsMax}
        value={values.support_email ?? ''}
        error={errorOf('support_email')}
        onChange={(event) => change({ support_email: event.currentTarget.value.trim() || null })}
      />
      {isColour(values.accent) && <BrandPreview name={values.name} accent={values.accent} logo={logo_url} />}
    </SectionForm>
  )
}
