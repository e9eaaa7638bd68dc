import { Radio } from '@mantine/core'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'
import { sectionsInWords } from './terms-labels.ts'
import { usePublication } from './use-terms-form.ts'

/** States before publishing how many members must accept, and what stays closed to them until then. */
export function PublishDialog(props: Parameters<typeof usePublication>[0]) {
  const { terms, onClose } = props
  const { t } = useTranslation()
  const isFirst = terms.version === null
  const form = usePublication(props)
  const { who } = form.values
  const rest = terms.members - terms.accepted
  const asked = who === 'everybody' ? terms.members : rest
  const { name, blocked_portal_sections: sections } = terms.draft
  return (
    <CallDialog
      form={form}
      title={t('Publish {{name}}?', { name })}
      size={520}
      submit={t('Publish')}
      cancel={t('Not now')}
      isQuestion
      onClose={onClose}
    >
      {!isFirst && (
        <Radio.Group label={t('Who is asked')} value={who} onChange={(value) => form.change({ who: value })}>
          <div className={parts.reach}>
            <Radio
              value="everybody"
              label={t('Everybody, again')}
              description={t(
                'Including those who accepted an earlier version. For changes that members must agree to.',
              )}
            />
            <Radio
              value="rest"
              label={t('Only those who have not accepted yet')}
              description={t('Earlier acceptances remain valid. For corrections of spelling and the like.')}
            />
          </div>
        </Radio.Group>
      )}
      <p className={parts.outcome}>
        <strong>{t('Members who are asked: {{asked}} of {{members}}.', { asked, members: terms.members })}</strong>{' '}
        {sections.includes('all')
          ? t('Until they accept, the whole portal is closed to them. Their open orders and money are not affected.')
          : t('Until they accept, this is closed to them: {{sections}}.', { sections: sectionsInWords(sections, t) })}
      </p>
    </CallDialog>
  )
}
