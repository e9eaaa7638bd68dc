import { Popover } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { fileAddress } from '../../api/address.ts'
import { Facts } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './banking.module.css'
import { QrPicture } from './qr-picture.tsx'
import type { OtherAccount } from './use-banking.ts'

const sizes = { thumbnail: 24, shown: 200 }
/** Gives the pointer time to reach the popover. */
const closesAfterMs = 150

/** The address and its QR code, if any: small in the row, enlarged on hover or press. */
export function AddressCell({ account }: { account: OtherAccount }) {
  const { t } = useTranslation()
  return (
    <span className={parts.address}>
      <span className={parts.addressText} title={account.address_id}>
        {account.address_id}
        {account.address_tag && <span className={parts.tag}>{t('Tag {{tag}}', { tag: account.address_tag })}</span>}
      </span>
      {account.address_qr && <QrPopover account={account} url={account.address_qr.url} />}
    </span>
  )
}

function useHover() {
  const [isOpen, setOpen] = useState(false)
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(closing.current), [])
  const open = () => {
    clearTimeout(closing.current)
    setOpen(true)
  }
  const closeSoon = () => {
    clearTimeout(closing.current)
    closing.current = setTimeout(() => setOpen(false), closesAfterMs)
  }
  return { isOpen, setOpen, over: { onMouseEnter: open, onMouseLeave: closeSoon } }
}

function QrPopover({ account, url }: { account: OtherAccount; url: string }) {
  const { t } = useTranslation()
  const { isOpen, setOpen, over } = useHover()
  const { name, provider, preferred_currency, address_id } = account
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal offset={4} width={264} returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={parts.thumbnail}
          aria-label={t('Show the QR code of {{name}}', { name })}
          onClick={() => setOpen(true)}
          {...over}
        >
          <QrPicture url={url} size={sizes.thumbnail} alt="" />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={parts.popover ?? ''} aria-label={t('QR code of {{name}}', { name })} {...over}>
        <Facts
          facts={[
            { name: t('Name'), value: name },
            { name: t('Provider'), value: provider },
            { name: t('Currency'), value: preferred_currency },
            { name: t('Tag or memo'), value: account.address_tag },
          ]}
        />
        <p className={parts.wholeAddress}>{address_id}</p>
        <QrPicture url={url} size={sizes.shown} alt={t('QR code of {{name}}', { name })} />
        <a className={parts.newTab} href={fileAddress(url)} target="_blank" rel="noopener noreferrer">
          <IconExternalLink size={16} stroke={1.5} aria-hidden />
          {t('Open in new tab')}
        </a>
      </Popover.Dropdown>
    </Popover>
  )
}
