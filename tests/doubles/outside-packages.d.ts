declare module 'coinpayments-ipn' {
  export function verify(hmac: string, secret: string, payload: Record<string, string>): boolean
}

declare module 'mt5-sdk' {
  type Answer = Record<string, string> | null
  export default class Metatrader {
    constructor(server: string, port: number, login: { login: string; password: string; build: string; agent: string })
    readonly https: import('node:https').Agent
    readonly auth: {
      processAuth(answer: { srv_rand: string }, password: string): string
      processAuthFinal(answer: { cli_rand_answer: string }, password: string, challenge: Buffer): boolean
    }
    readonly users: {
      get(login: string): Promise<Answer>
      create(user: Record<string, string>): Promise<Answer>
      update(user: Record<string, string>): Promise<Answer>
      checkPassword(login: string, password: string, type?: string): Promise<unknown>
      changePassword(login: string, oldPassword: string, newPassword: string, type?: string): Promise<unknown>
    }
    readonly trade: { updateTradeBalanceGet(deal: Record<string, string>): Promise<Answer> }
  }
}
