import { shownPhone } from '@atrium/contract/validators/phone.ts'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { fileAddress } from '../../api/address.ts'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { Portrait } from '../../ui/layout/portrait.tsx'
import rowParts from '../../ui/lists/rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { PhonesDialog } from './phones-dialog.tsx'
import { PictureDialog } from './picture-dialog.tsx'
import { labelsOfDocuments } from './profile-labels.ts'
import parts from './profile-parts.module.css'
import type { Profile } from './use-profile.ts'

type Editing = 'phones' | 'picture' | null

type AboutMemberProps = {
  profile: Profile | undefined
  /** Whether this member can open the neighbouring page. */
  isOpen: (place: 'requests' | 'documents') => boolean
}

/** The member's profile, with the parts that the member can change. */
export function AboutMember({ profile, isOpen }: AboutMemberProps) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState<Editing>(null)
  const close = () => setEditing(null)
  return (
    <Section
      title={t('Name and contacts')}
      more={
        profile && (
          <Button variant="default" size="xs" onClick={() => setEditing('phones')}>
            {t('Change phone numbers')}
          </Button>
        )
      }
    >
      <Card>
        {profile ? (
          <About profile={profile} isOpen={isOpen} onPicture={() => setEditing('picture')} />
        ) : (
          <LoadingSkeleton />
        )}
      </Card>
      {profile && editing === 'phones' && <PhonesDialog profile={profile} onClose={close} />}
      {profile && <PictureDialog profile={profile} isOpen={editing === 'picture'} onClose={close} />}
    </Section>
  )
}

type AboutProps = AboutMemberProps & { profile: Profile; onPicture: () => void }

function About({ profile, isOpen, onPicture }: AboutProps) {
  const { t } = useTranslation()
  const { profile_pic } = profile
  return (
    <>
      <div className={parts.person}>
        <button type="button" className={parts.personButton} tabIndex={-1} aria-hidden onClick={onPicture}>
          <Portrait name={profile.name} url={profile_pic && fileAddress(profile_pic.url)} size="large" />
        </button>
        <span className={rowParts.grow}>
          <span className={parts.personName}>{[profile.title, profile.name].filter(Boolean).join(' ')}</span>
          <span>
            <Button variant="default" size="xs" onClick={onPicture}>
              {profile_pic ? t('Change picture') : t('Add a picture')}
            </Button>
          </span>
        </span>
      </div>
      <div className={parts.facts}>
        <MemberFacts profile={profile} isOpen={isOpen} />
      </div>
      <p className={parts.note}>
        {t('To change your legal name or email, send a request: we have to verify the change.')}{' '}
        {isOpen('requests') && <TextLink to="/requests">{t('Go to requests')}</TextLink>}
      </p>
    </>
  )
}

function MemberFacts({ profile, isOpen }: AboutMemberProps & { profile: Profile }) {
  const { t } = useTranslation()
  const documents = labelsOfDocuments(profile.documents_status)
  const phones = profile.phones.map((phone, index) => (
    <span key={phone} className={parts.contact}>
      <bdi>{shownPhone(phone)}</bdi> {index === 0 && profile.phones.length > 1 && <Tag label={t('Primary')} />}
    </span>
  ))
  const emails = profile.emails.map((email) => (
    <span key={email} className={parts.contact}>
      {email}
    </span>
  ))
  return (
    <Facts
      facts={[
        { name: t('Client number'), value: profile.customer_number, copy: profile.customer_number },
        { name: t('Phone'), value: phones.length > 0 ? phones : t('None yet') },
        { name: t('Email'), value: emails },
        {
          name: t('Documents'),
          value: (
            <>
              <StatusPill meaning={documents.meaning} label={t(documents.label)} />{' '}
              {isOpen('documents') && <TextLink to="/documents">{t('Open')}</TextLink>}
            </>
          ),
        },
      ]}
    />
  )
}

function LoadingSkeleton() {
  const { t } = useTranslation()
  const names = [t('Client number'), t('Phone'), t('Email'), t('Documents')]
  const skeleton = <Skeleton component="span" display="inline-block" height={12} width={120} />
  return (
    <div aria-busy>
      <div className={parts.person}>
        <Skeleton circle height={72} />
        <span className={rowParts.grow}>
          <Skeleton height={16} width="60%" mb={8} />
          <Skeleton height={12} width="30%" />
        </span>
      </div>
      <div className={parts.facts}>
        <Facts facts={names.map((name) => ({ name, value: skeleton }))} />
      </div>
    </div>
  )
}
