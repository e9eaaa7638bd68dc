export const typeLabel = (type: string): string => (type === 'withdrawal' ? 'Withdrawal' : 'Deposit')
