import { Select } from '../../../ui/fields/select.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from './coin-instructions.module.css'
import { CoinPicture } from './coin-picture.tsx'
import { useDepositCoins } from './use-deposit-coins.ts'

type DepositCoinFieldProps = {
  method: string
  chosen: string
  error: string | undefined
  onChoose: (coin: string) => void
}

/** A coin is chosen together with its network: the same name on another network is another coin. */
export function DepositCoinField({ method, chosen, error, onChoose }: DepositCoinFieldProps) {
  const { t } = useTranslation()
  const { coins, isLoading, ...field } = useDepositCoins(method, error)
  const known = new Map(coins.map((coin) => [coin.code, coin]))
  const coin = known.get(chosen)
  return (
    <Select
      label={t('Coin')}
      placeholder={isLoading ? t('Loading') : t('Choose a coin')}
      description={
        coin?.network
          ? t('Send it over {{network}} only. Over another network it would be lost.', { network: coin.network })
          : t('You send it from your wallet or exchange to an address that we show you next.')
      }
      required
      searchable
      allowDeselect={false}
      data={coins.map(({ code, name }) => ({ value: code, label: `${code} \u2013 ${name}` }))}
      value={chosen || null}
      {...field}
      leftSection={coin && <CoinPicture url={coin.image_url} />}
      onChange={(code) => onChoose(code ?? '')}
      renderOption={({ option }) => (
        <span data-group="sm" data-nowrap data-align="center">
          <CoinPicture url={known.get(option.value)?.image_url ?? ''} />
          <span>
            {option.label}
            {known.get(option.value)?.network && (
              <span className={parts.network}>{known.get(option.value)?.network}</span>
            )}
          </span>
        </span>
      )}
    />
  )
}
