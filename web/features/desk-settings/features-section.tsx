import { features } from '@atrium/contract/access/scopes.ts'
import { Checkbox } from '@mantine/core'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { featureLabels, pagesOf } from './feature-labels.ts'
import { SectionForm } from './section-form.tsx'
import { useSection } from './use-workspace.ts'

export function FeaturesSection() {
  const { t } = useTranslation()
  const form = useSection('features')
  const chosen = form.values.features
  return (
    <SectionForm
      title={t('Features')}
      help={t(
        'What members can use. A feature that is off is refused by the server at once and leaves the menu within a minute.',
      )}
      form={form}
    >
      {features.map((feature) => {
        const { name, description } = featureLabels[feature]
        const pages = pagesOf(feature).map((page) => t(page))
        const opens = pages.length > 0 ? t('Opens: {{pages}}.', { pages: pages.join(', ') }) : ''
        return (
          <Checkbox
            key={feature}
            label={t(name)}
            description={`${t(description)} ${opens}`}
            checked={chosen[feature]}
            onChange={(event) => form.change({ features: { ...chosen, [feature]: event.currentTarget.checked } })}
          />
        )
      })}
    </SectionForm>
  )
}
