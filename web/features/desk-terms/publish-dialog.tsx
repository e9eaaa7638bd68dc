import type { DeskTerms } from '@atrium/contract/desk-terms.ts'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import parts from './desk-terms.module.css'
import { sectionsInWords } from './terms-words.ts'
import { usePublishTerms } from './use-terms.ts'

type PublishDialogProps = { terms: DeskTerms; onClose: () => void }

/** Says before it happens how many members are asked, and what is closed to them until they accept. */
export function PublishDialog({ terms, onClose }: PublishDialogProps) {
  const { t } = useTranslation()
  const isFirst = terms.version === null
  const [isAskedAgain, setAskedAgain] = useState(isFirst || terms.is_changed)
  const publish = usePublishTerms(terms._id)
  const rest = terms.members - terms.accepted
  const asked = isAskedAgain ? terms.members : rest
  const { name, blocked_portal_sections: sections } = terms.draft
  const go = () =>
    publish.mutate(
      { revision: terms.revision, asks_again: isAskedAgain },
      {
        onSuccess: ({ terms: { version } }) => {
          notice.done(t('Published as version {{version}}.', { version }))
          onClose()
        },
      },
    )
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Publish {{name}}?', { name })}
      size={520}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={parts.dialog}>
        {!isFirst && (
          <Radio.Group
            label={t('Who is asked')}
            value={isAskedAgain ? 'everybody' : 'rest'}
            onChange={(value) => setAskedAgain(value === 'everybody')}
          >
            <div className={parts.reach}>
              <Radio
                value="everybody"
                label={t('Everybody, once more')}
                description={t('Also who accepted an earlier version. For changes that members must agree to.')}
              />
              <Radio
                value="rest"
                label={t('Only who has not accepted yet')}
                description={t('Earlier acceptances remain valid. For corrections of spelling and the like.')}
              />
            </div>
          </Radio.Group>
        )}
        <p className={parts.outcome}>
          <strong>{t('Members who are asked: {{asked}} of {{members}}.', { asked, members: terms.members })}</strong>{' '}
          {sections.includes('all')
            ? t('Until they accept, the whole portal is closed to them. Their open orders and money are not touched.')
            : t('Until they accept, this is closed to them: {{sections}}.', { sections: sectionsInWords(sections, t) })}
        </p>
        {publish.error && <Callout meaning="red">{t(publish.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" data-autofocus disabled={publish.isPending} onClick={onClose}>
            {t('Not now')}
          </Button>
          <Button loading={publish.isPending} onClick={go}>
            {t('Publish')}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}
