/** Names and networks of coins; separate from `texts`, so that the sign-in page does not load them. */

/** Networks that carry other coins, by the suffix of such a coin's code. */
const carriers: Record<string, string> = {
  AVAX: 'Avalanche C-Chain',
  BEP2: 'BNB Beacon Chain (BEP-2)',
  BEP20: 'BNB Smart Chain (BEP-20)',
  ERC20: 'Ethereum (ERC-20)',
  LN: 'Lightning',
  MATIC: 'Polygon',
  POL: 'Polygon',
  SOL: 'Solana (SPL)',
  TRC20: 'Tron (TRC-20)',
}

/** Coins with a network of their own. */
const ownNetworks: Record<string, string> = {
  ADA: 'Cardano',
  ATOM: 'Cosmos Hub',
  BCH: 'Bitcoin Cash',
  BNB: 'BNB Smart Chain (BEP-20)',
  BTC: 'Bitcoin',
  DASH: 'Dash',
  DOGE: 'Dogecoin',
  DOT: 'Polkadot',
  EOS: 'EOS',
  ETC: 'Ethereum Classic',
  ETH: 'Ethereum',
  HBAR: 'Hedera',
  LTC: 'Litecoin',
  LTCT: 'Litecoin Testnet',
  SOL: 'Solana',
  TON: 'The Open Network',
  TRX: 'Tron',
  XLM: 'Stellar',
  XMR: 'Monero',
  XRP: 'XRP Ledger',
  ZEC: 'Zcash',
}

/** The network of a coin; null if its code does not name one, since a guess could be wrong. */
export function networkOf(coin: string): string | null {
  const [symbol = '', carrier] = coin.split('.')
  return (carrier === undefined ? ownNetworks[symbol] : carriers[carrier]) ?? null
}
