import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { Block } from './eligibility.ts'

type OpeningBlockedProps = {
  block: Block
  kind: AccountKind
  /** The status of the member's KYC documents. */
  documents: string
  isDocumentsOpen: boolean
  isSupportOpen: boolean
  /** Whether members may open demo accounts. */
  mayOpenDemo: boolean
}

/** What to do about the KYC documents, by their status. */
const stepByStatus: Record<string, string> = {
  pending: 'Upload your documents. Once they are approved, you can open the account.',
  rejected: 'A document was not accepted. Open Documents to see why, and upload a new one.',
  in_verification:
    'Your documents are in review. We will notify you when that is done, and you can then open the account.',
}

/** Why the form is hidden, in the words of the specification, with a link to the next step. */
export function OpeningBlocked({
  block,
  kind,
  documents: documentsStatus,
  isDocumentsOpen,
  isSupportOpen,
  mayOpenDemo,
}: OpeningBlockedProps) {
  const { t } = useTranslation()
  const support = isSupportOpen && <LinkButton to="/support">{t('Support')}</LinkButton>
  const documents = (
    <>
      {isDocumentsOpen && <LinkButton to="/documents">{t('Documents')}</LinkButton>}{' '}
      {kind === 'live' && mayOpenDemo && (
        <LinkButton to="/accounts/open-demo-account" variant="default">
          {t('Open Demo Account')}
        </LinkButton>
      )}
    </>
  )
  const said: Record<Block, { title: string; text: string; action: ReactNode }> = {
    disabled: { title: t(openingTexts.openingDisabled), text: '', action: support },
    'no-groups': {
      title: t(openingTexts.openingNoGroups),
      text: t('No account of this kind can be opened on any platform at the moment.'),
      action: support,
    },
    kyc: {
      title: t(openingTexts.openingKyc),
      text: t(stepByStatus[documentsStatus] ?? stepByStatus.pending ?? ''),
      action: documents,
    },
    limit: {
      title: t(openingTexts.openingLimit),
      text: t('If you need another one, contact us.'),
      action: support,
    },
  }
  return (
    <Card>
      <EmptyState drawing={block === 'kyc' ? 'door' : 'accounts'} {...said[block]} />
    </Card>
  )
}
