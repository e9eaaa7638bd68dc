/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type AccountsQueryVariables = Exact<{
  sync: boolean;
}>;


export type AccountsQuery = { current_member: { _id: string, accounts: Array<{ _id: string, platform_login: string, platform_type: string, leverage: number, group: string | null, balance: string | null, equity: string | null, balance_as_of: number | null, balance_is_live: boolean, live_account: boolean, currency: string, status: string, country: string | null, country_alpha2: string | null, city: string | null, enable_read_only: boolean, archived: boolean, deleted: boolean, trading_platform: { _id: string, name: string, type: string }, trade_info: { floating_pnl: string | null } | null }> } | null };

export type AccountQueryVariables = Exact<{
  _id: string;
  sync: boolean;
}>;


export type AccountQuery = { trading_account: { _id: string, platform_login: string, platform_type: string, leverage: number, balance: string | null, equity: string | null, credit: string | null, margin: string | null, margin_free: string | null, margin_level: string | null, balance_as_of: number | null, balance_is_live: boolean, live_account: boolean, currency: string, country: string | null, country_alpha2: string | null, city: string | null, enable_change_password: boolean, enable_read_only: boolean, status: string, archived: boolean, deleted: boolean, trading_platform: { _id: string, name: string, type: string }, trade_info: { floating_pnl: string | null } | null } | null };

export type PlatformServersQueryVariables = Exact<{ [key: string]: never; }>;


export type PlatformServersQuery = { current_member: { _id: string, accounts: Array<{ _id: string, trading_platform: { _id: string, server: string | null } }> } | null };

export type DuePasswordsQueryVariables = Exact<{
  _id: string;
}>;


export type DuePasswordsQuery = { trading_account: { _id: string, main_password_due: boolean, investor_password_due: boolean } | null };

export type BankAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type BankAccountsQuery = { bank_accounts: Array<{ _id: string, currency: string, account_holder: string, bank_account: string | null, iban_number: string | null, swift: string, bank_name: string, address_line_1: string | null, city: string | null, state: string | null, usable_from: number, country: { _id: string, name: string, alpha_2: string } | null }> };

export type EditedBankAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type EditedBankAccountsQuery = { bank_accounts: Array<{ _id: string, currency: string, account_holder: string, bank_account: string | null, iban_number: string | null, swift: string, bank_name: string, address_line_1: string | null, city: string | null, state: string | null, usable_from: number, bank_branch: string | null, postcode: string | null, routing_number: string | null, revision: string, country: { _id: string, name: string, alpha_2: string } | null }> };

export type CompanyBanksQueryVariables = Exact<{ [key: string]: never; }>;


export type CompanyBanksQuery = { system_bank_accounts: Array<{ _id: string, currency: string, account_holder: string, bank_account: string | null, iban_number: string | null, swift: string | null, bank_name: string, address_line_1: string | null, identifier: string | null, notes: string | null, sort_code: string | null }> };

export type OtherAccountsQueryVariables = Exact<{
  type?: string | null | undefined;
}>;


export type OtherAccountsQuery = { other_accounts: Array<{ _id: string, name: string, type: string, provider: string, preferred_currency: string, notes: string | null, address_id: string, address_tag: string | null, usable_from: number, address_qr: { _id: string, type: string | null, url: string } | null }> };

export type EditedOtherAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type EditedOtherAccountsQuery = { other_accounts: Array<{ _id: string, name: string, type: string, provider: string, preferred_currency: string, notes: string | null, address_id: string, address_tag: string | null, usable_from: number, revision: string, address_qr: { _id: string, type: string | null, url: string } | null }> };

export type DocumentsQueryVariables = Exact<{
  limit?: number | null | undefined;
}>;


export type DocumentsQuery = { documents: Array<{ _id: string, title: string, description: string | null, url: string, publish_date: number, category: string, valid_document: string | null, status: string, unverify_reason: string | null, reject_reason: string | null, expires_on: string | null, extension: string, size_bytes: number, scan: string, file_category_object: { _id: string, name: string, description: string, required: boolean, valid_documents: Array<{ _id: string, name: string, expires: boolean }> } }>, documents_progress: { status: string, required: number, done: number, needs: Array<{ kind: string, _id: string, category: string, name: string, note: string, valid_document: string | null, standing: string }> } };

export type DownloadsQueryVariables = Exact<{ [key: string]: never; }>;


export type DownloadsQuery = { current_member: { _id: string, accounts: Array<{ _id: string, platform_login: string, live_account: boolean, deleted: boolean, trading_platform: { _id: string, name: string, type: string, downloads: Array<{ _id: string, platform: string, name: string, link: string | null, file: { _id: string, title: string | null, url: string } | null }> } }> } | null };

export type FormQueryVariables = Exact<{
  _id: string;
}>;


export type FormQuery = { form: { _id: string, name: string, version: number, show_conditions: string | null, input_name_conditions: string | null, result_bands: string | null, steps: Array<{ _id: string, name: string, fields: Array<{ name: string, description: string | null, type: string, options: string | null, scores: string | null, row: number, column: number, config: string | null, input_name: string }> }> } | null };

export type FormAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type FormAccountsQuery = { current_member: { _id: string, accounts: Array<{ _id: string, platform_login: string, live_account: boolean, currency: string, leverage: number, archived: boolean, deleted: boolean, trading_platform: { _id: string, name: string } }> } | null };

export type FormBanksQueryVariables = Exact<{ [key: string]: never; }>;


export type FormBanksQuery = { bank_accounts: Array<{ _id: string, bank_name: string, account_holder: string, currency: string }> };

export type PendingDepositsQueryVariables = Exact<{
  _id?: string | null | undefined;
  limit?: number | null | undefined;
  page?: number | null | undefined;
}>;


export type PendingDepositsQuery = { pending_deposits: Array<{ _id: string, number: string, description: string | null, subtotal: string, created_at: number, data: string | null, trading_account: { _id: string, platform_login: string, currency: string, live_account: boolean } }> };

export type TransactionsQueryVariables = Exact<{
  _id?: string | null | undefined;
  ticket?: string | null | undefined;
  account_number?: string | null | undefined;
  trading_account?: string | null | undefined;
  live_account?: boolean | null | undefined;
  type?: string | null | undefined;
  status?: string | null | undefined;
  destination?: string | null | undefined;
  created_at_from?: number | null | undefined;
  created_at_to?: number | null | undefined;
  amount?: string | null | undefined;
  limit?: number | null | undefined;
  page?: number | null | undefined;
}>;


export type TransactionsQuery = { balance_transactions: Array<{ _id: string, ticket: string, type: string, amount: string, currency: string, status: string, state: string, source: string, comment: string | null, origin: string | null, payment_method: string | null, destination: string | null, destination_text: string | null, coin: string | null, coin_network: string | null, fee: string, platform_ticket: string | null, created_at: number, psp_transaction: { psp: string, card_type: string | null, coin_amount: string | null, image_url: string | null } | null, destination_bank_account: { bank_name: string | null, bank_account: string | null, currency: string | null } | null, rejection: { reason: string, sentence: string, next: string, note: string | null } | null, timeline: Array<{ at: number, event: string, by: string, note: string | null }>, trading_account: { _id: string, platform_login: string, live_account: boolean, platform_type: string }, attachments: Array<{ media_type: string, scan: string, created_at: number, image: { _id: string, title: string | null, url: string } | null, document: { _id: string, title: string | null, url: string } | null, file: { _id: string, title: string | null, url: string } | null }> }> };

export type TransferBanksQueryVariables = Exact<{ [key: string]: never; }>;


export type TransferBanksQuery = { system_bank_accounts: Array<{ _id: string, currency: string, account_holder: string, bank_account: string | null, iban_number: string | null, swift: string | null, bank_name: string, address_line_1: string | null, identifier: string | null, notes: string | null, sort_code: string | null }>, bank_accounts: Array<{ _id: string, currency: string, account_holder: string, bank_account: string | null, iban_number: string | null, bank_name: string }> };

export type WithdrawalBeneficiariesQueryVariables = Exact<{ [key: string]: never; }>;


export type WithdrawalBeneficiariesQuery = { bank_accounts: Array<{ _id: string, currency: string, account_holder: string, bank_name: string }>, others: Array<{ _id: string, name: string, provider: string, preferred_currency: string }>, wallets: Array<{ _id: string, name: string, provider: string, preferred_currency: string }> };

export type WaysToPayQueryVariables = Exact<{ [key: string]: never; }>;


export type WaysToPayQuery = { available_psps: Array<{ _id: string, name: string, app_uid: string, takes_coins: boolean, app: { image_url: string | null }, currencies: Array<{ currency: string, amount_min: string, amount_max: string, fee_percent: string, fee_fixed: string }> }>, current_member: { phones: Array<string>, emails: Array<string>, addresses: Array<{ _id: string, address_line_1: string | null, city: string | null, primary: boolean, country: { alpha_2: string } | null }> } | null };

export type ProfileQueryVariables = Exact<{ [key: string]: never; }>;


export type ProfileQuery = { current_member: { _id: string, title: string | null, name: string, customer_number: string, documents_status: string, text_language: string | null, language: string | null, time_zone: string | null, colour_scheme: string | null, profile_version: number, phones: Array<string>, emails: Array<string>, profile_pic: { _id: string, url: string } | null, addresses: Array<{ _id: string, address_line_1: string | null, address_line_2: string | null, city: string | null, postcode: string | null, state: string | null, primary: boolean, country: { _id: string, name: string, alpha_2: string } | null }> } | null };

export type OwnBankAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnBankAccountsQuery = { bank_accounts: Array<{ _id: string, currency: string, account_holder: string, bank_account: string | null, iban_number: string | null, swift: string, bank_name: string }> };

export type QuickLinksQueryVariables = Exact<{ [key: string]: never; }>;


export type QuickLinksQuery = { current_member: { requests_types_for_quick_links: Array<{ _id: string, name: string, description: string | null, last_request: { _id: string, number: string, status: string, created_at: number } | null }> } | null };

export type RequestTypesQueryVariables = Exact<{ [key: string]: never; }>;


export type RequestTypesQuery = { requests_types: Array<{ _id: string, name: string, description: string | null, predefined_type: string | null, form: { _id: string } | null }> };

export type RequestTypeQueryVariables = Exact<{
  _id: string;
  customer: string;
}>;


export type RequestTypeQuery = { request_type: { _id: string, name: string, description: string | null, predefined_type: string | null, form: { _id: string } | null, last_request: { _id: string, number: string, status: string, comment: string | null, created_at: number } | null } | null };

export type RequestsQueryVariables = Exact<{
  customer: string;
  q?: string | null | undefined;
  status?: string | null | undefined;
  created_at?: number | null | undefined;
  created_at_to?: number | null | undefined;
  limit?: number | null | undefined;
  page?: number | null | undefined;
}>;


export type RequestsQuery = { requests: Array<{ _id: string, number: string, subject: string, status: string, status_since: number, created_at: number }> };

export type RequestQueryVariables = Exact<{
  _id: string;
}>;


export type RequestQuery = { requests: Array<{ _id: string, number: string, subject: string, description: string | null, status: string, comment: string | null, created_at: number, form_data: string | null, request_type: { _id: string, name: string } }> };

export type CurrentMemberQueryVariables = Exact<{ [key: string]: never; }>;


export type CurrentMemberQuery = { current_member: { _id: string, name: string, first_name: string, customer_number: string, documents_status: string, text_language: string | null, kyc_category_id: string | null, type: string, accounts_live_count: number, accounts_demo_count: number, language: string | null, time_zone: string | null, colour_scheme: string | null, profile_pic: { _id: string, url: string } | null } | null };

export type TicketListsQueryVariables = Exact<{
  q?: string | null | undefined;
  limit?: number | null | undefined;
  openPage?: number | null | undefined;
  takenPage?: number | null | undefined;
  closedPage?: number | null | undefined;
}>;


export type TicketListsQuery = { open: Array<{ _id: string, ticket: string, subject: string, priority: string, status: string, is_unread: boolean, created_at: number, last_reply_at: number | null }>, taken: Array<{ _id: string, ticket: string, subject: string, priority: string, status: string, is_unread: boolean, created_at: number, last_reply_at: number | null }>, closed: Array<{ _id: string, ticket: string, subject: string, priority: string, status: string, is_unread: boolean, created_at: number, last_reply_at: number | null }> };

export type TicketRowFragment = { _id: string, ticket: string, subject: string, priority: string, status: string, is_unread: boolean, created_at: number, last_reply_at: number | null };

export type TicketQueryVariables = Exact<{
  _id: string;
}>;


export type TicketQuery = { tickets: Array<{ _id: string, ticket: string, type: string, priority: string, subject: string, status: string, description: string, created_at: number, is_unread: boolean, taken_by: { _id: string, name: string, profile_pic: { _id: string, url: string } | null } | null, customer: { _id: string, name: string, profile_pic: { _id: string, url: string } | null }, merged_into: { _id: string, ticket: string } | null, conversation: Array<{ uid: string, type: string, content: string | null, is_staff: boolean, created_at: number, created_by: { _id: string, name: string, profile_pic: { _id: string, url: string } | null }, attachment: { _id: string, url: string, name: string, type: string, extension: string, size_bytes: number, scan: string } | null }>, model:
      | { __typename: 'BalanceTransaction', _id: string, ticket: string, type: string, amount: string, currency: string, trading_account: { _id: string, platform_login: string } }
      | { __typename: 'PlatformDownload', _id: string, name: string, platform: string, trading_platform_name: string }
      | { __typename: 'TradingAccount', _id: string, platform_login: string, balance: string | null, currency: string, trading_platform: { _id: string, type: string } }
     | null }> };

export type TradesQueryVariables = Exact<{
  trading_account: string;
  symbol?: string | null | undefined;
  side?: string | null | undefined;
  entry?: string | null | undefined;
  from?: number | null | undefined;
  to?: number | null | undefined;
  sort?: string | null | undefined;
  order?: string | null | undefined;
  limit?: number | null | undefined;
  page?: number | null | undefined;
}>;


export type TradesQuery = { trade_records: Array<{ _id: string, order: string | null, cmd: string, entry: number | null, symbol: string, volume: number, open_price: string | null, close_price: string | null, tp: string | null, sl: string | null, price_tp: string | null, price_sl: string | null, profit: string | null, swap: string, commission: string, state: number | null, state_label: string | null, timestamp: number, opened_at: number | null, comment: string | null, ticket: string | null, deal: string | null }>, trade_totals: { count: number, volume: number, profit: string, swap: string, commission: string, net: string } | null };

export type TradeHistoryQueryVariables = Exact<{
  trading_account: string;
}>;


export type TradeHistoryQuery = { trade_history: { read_from: number | null, read_at: number | null, is_complete: boolean, is_being_read: boolean, failing_since: number | null, symbols: Array<string> } | null };

export type OpenPositionsQueryVariables = Exact<{
  trading_account: string;
}>;


export type OpenPositionsQuery = { open_positions: { read_at: number | null, is_live: boolean, profit: string, positions: Array<{ _id: string, cmd: string, symbol: string, volume: number, open_price: string, current_price: string, sl: string | null, tp: string | null, profit: string, swap: string, timestamp: number, comment: string }> } | null };

export type AccountTransactionFragment = { _id: string, ticket: string, type: string, amount: string, currency: string, status: string, state: string, comment: string | null, payment_method: string | null, destination: string | null, platform_ticket: string | null, created_at: number, timeline: Array<{ event: string }>, trade_record: { _id: string, deal: string | null, login: string | null, comment: string | null, trade_record_type: string } | null, attachments: Array<{ media_type: string, scan: string, created_at: number, image: { _id: string, title: string | null, url: string } | null, document: { _id: string, title: string | null, url: string } | null, file: { _id: string, title: string | null, url: string } | null }> };

export type AccountTransactionsQueryVariables = Exact<{
  trading_account: string;
  limit?: number | null | undefined;
  page?: number | null | undefined;
}>;


export type AccountTransactionsQuery = { balance_transactions: Array<{ _id: string, ticket: string, type: string, amount: string, currency: string, status: string, state: string, comment: string | null, payment_method: string | null, destination: string | null, platform_ticket: string | null, created_at: number, timeline: Array<{ event: string }>, trade_record: { _id: string, deal: string | null, login: string | null, comment: string | null, trade_record_type: string } | null, attachments: Array<{ media_type: string, scan: string, created_at: number, image: { _id: string, title: string | null, url: string } | null, document: { _id: string, title: string | null, url: string } | null, file: { _id: string, title: string | null, url: string } | null }> }> };

export type LatestTransactionsQueryVariables = Exact<{
  trading_account: string;
}>;


export type LatestTransactionsQuery = { trading_account: { _id: string, balance_transactions: Array<{ _id: string, ticket: string, type: string, amount: string, currency: string, status: string, state: string, comment: string | null, payment_method: string | null, destination: string | null, platform_ticket: string | null, created_at: number, timeline: Array<{ event: string }>, trade_record: { _id: string, deal: string | null, login: string | null, comment: string | null, trade_record_type: string } | null, attachments: Array<{ media_type: string, scan: string, created_at: number, image: { _id: string, title: string | null, url: string } | null, document: { _id: string, title: string | null, url: string } | null, file: { _id: string, title: string | null, url: string } | null }> }> } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const TicketRowFragmentDoc = new TypedDocumentString(`
    fragment TicketRow on Ticket {
  _id
  ticket
  subject
  priority
  status
  is_unread
  created_at
  last_reply_at
}
    `, {"fragmentName":"TicketRow"}) as unknown as TypedDocumentString<TicketRowFragment, unknown>;
export const AccountTransactionFragmentDoc = new TypedDocumentString(`
    fragment AccountTransaction on BalanceTransaction {
  _id
  ticket
  type
  amount
  currency
  status
  state
  comment
  payment_method
  destination
  platform_ticket
  created_at
  timeline {
    event
  }
  trade_record {
    _id
    deal
    login
    comment
    trade_record_type
  }
  attachments {
    media_type
    scan
    image {
      _id
      title
      url
    }
    document {
      _id
      title
      url
    }
    file {
      _id
      title
      url
    }
    created_at
  }
}
    `, {"fragmentName":"AccountTransaction"}) as unknown as TypedDocumentString<AccountTransactionFragment, unknown>;
export const AccountsDocument = new TypedDocumentString(`
    query Accounts($sync: Boolean!) {
  current_member {
    _id
    accounts(sync: $sync) {
      _id
      platform_login
      platform_type
      leverage
      group
      balance
      equity
      balance_as_of
      balance_is_live
      live_account
      currency
      status
      country
      country_alpha2
      city
      enable_read_only
      archived
      deleted
      trading_platform {
        _id
        name
        type
      }
      trade_info {
        floating_pnl
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AccountsQuery, AccountsQueryVariables>;
export const AccountDocument = new TypedDocumentString(`
    query Account($_id: ID!, $sync: Boolean!) {
  trading_account(_id: $_id, sync: $sync) {
    _id
    platform_login
    platform_type
    leverage
    balance
    equity
    credit
    margin
    margin_free
    margin_level
    balance_as_of
    balance_is_live
    live_account
    currency
    country
    country_alpha2
    city
    enable_change_password
    enable_read_only
    status
    archived
    deleted
    trading_platform {
      _id
      name
      type
    }
    trade_info {
      floating_pnl
    }
  }
}
    `) as unknown as TypedDocumentString<AccountQuery, AccountQueryVariables>;
export const PlatformServersDocument = new TypedDocumentString(`
    query PlatformServers {
  current_member {
    _id
    accounts {
      _id
      trading_platform {
        _id
        server
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PlatformServersQuery, PlatformServersQueryVariables>;
export const DuePasswordsDocument = new TypedDocumentString(`
    query DuePasswords($_id: ID!) {
  trading_account(_id: $_id) {
    _id
    main_password_due
    investor_password_due
  }
}
    `) as unknown as TypedDocumentString<DuePasswordsQuery, DuePasswordsQueryVariables>;
export const BankAccountsDocument = new TypedDocumentString(`
    query BankAccounts {
  bank_accounts {
    _id
    currency
    account_holder
    bank_account
    iban_number
    swift
    bank_name
    country {
      _id
      name
      alpha_2
    }
    address_line_1
    city
    state
    usable_from
  }
}
    `) as unknown as TypedDocumentString<BankAccountsQuery, BankAccountsQueryVariables>;
export const EditedBankAccountsDocument = new TypedDocumentString(`
    query EditedBankAccounts {
  bank_accounts {
    _id
    currency
    account_holder
    bank_account
    iban_number
    swift
    bank_name
    country {
      _id
      name
      alpha_2
    }
    address_line_1
    city
    state
    usable_from
    bank_branch
    postcode
    routing_number
    revision
  }
}
    `) as unknown as TypedDocumentString<EditedBankAccountsQuery, EditedBankAccountsQueryVariables>;
export const CompanyBanksDocument = new TypedDocumentString(`
    query CompanyBanks {
  system_bank_accounts {
    _id
    currency
    account_holder
    bank_account
    iban_number
    swift
    bank_name
    address_line_1
    identifier
    notes
    sort_code
  }
}
    `) as unknown as TypedDocumentString<CompanyBanksQuery, CompanyBanksQueryVariables>;
export const OtherAccountsDocument = new TypedDocumentString(`
    query OtherAccounts($type: String) {
  other_accounts(type: $type) {
    _id
    name
    type
    provider
    preferred_currency
    notes
    address_id
    address_tag
    address_qr {
      _id
      type
      url
    }
    usable_from
  }
}
    `) as unknown as TypedDocumentString<OtherAccountsQuery, OtherAccountsQueryVariables>;
export const EditedOtherAccountsDocument = new TypedDocumentString(`
    query EditedOtherAccounts {
  other_accounts {
    _id
    name
    type
    provider
    preferred_currency
    notes
    address_id
    address_tag
    address_qr {
      _id
      type
      url
    }
    usable_from
    revision
  }
}
    `) as unknown as TypedDocumentString<EditedOtherAccountsQuery, EditedOtherAccountsQueryVariables>;
export const DocumentsDocument = new TypedDocumentString(`
    query Documents($limit: Int) {
  documents(limit: $limit) {
    _id
    title
    description
    url
    publish_date
    category
    valid_document
    status
    unverify_reason
    reject_reason
    expires_on
    extension
    size_bytes
    scan
    file_category_object {
      _id
      name
      description
      required
      valid_documents {
        _id
        name
        expires
      }
    }
  }
  documents_progress {
    status
    required
    done
    needs {
      kind
      _id
      category
      name
      note
      valid_document
      standing
    }
  }
}
    `) as unknown as TypedDocumentString<DocumentsQuery, DocumentsQueryVariables>;
export const DownloadsDocument = new TypedDocumentString(`
    query Downloads {
  current_member {
    _id
    accounts {
      _id
      platform_login
      live_account
      deleted
      trading_platform {
        _id
        name
        type
        downloads {
          _id
          platform
          name
          link
          file {
            _id
            title
            url
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DownloadsQuery, DownloadsQueryVariables>;
export const FormDocument = new TypedDocumentString(`
    query Form($_id: ID!) {
  form(_id: $_id) {
    _id
    name
    version
    show_conditions
    input_name_conditions
    result_bands
    steps {
      _id
      name
      fields {
        name
        description
        type
        options
        scores
        row
        column
        config
        input_name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FormQuery, FormQueryVariables>;
export const FormAccountsDocument = new TypedDocumentString(`
    query FormAccounts {
  current_member {
    _id
    accounts {
      _id
      platform_login
      live_account
      currency
      leverage
      archived
      deleted
      trading_platform {
        _id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FormAccountsQuery, FormAccountsQueryVariables>;
export const FormBanksDocument = new TypedDocumentString(`
    query FormBanks {
  bank_accounts {
    _id
    bank_name
    account_holder
    currency
  }
}
    `) as unknown as TypedDocumentString<FormBanksQuery, FormBanksQueryVariables>;
export const PendingDepositsDocument = new TypedDocumentString(`
    query PendingDeposits($_id: ID, $limit: Int, $page: Int) {
  pending_deposits(_id: $_id, limit: $limit, page: $page, withCount: true) {
    _id
    number
    description
    subtotal
    created_at
    trading_account {
      _id
      platform_login
      currency
      live_account
    }
    data
  }
}
    `) as unknown as TypedDocumentString<PendingDepositsQuery, PendingDepositsQueryVariables>;
export const TransactionsDocument = new TypedDocumentString(`
    query Transactions($_id: ID, $ticket: String, $account_number: String, $trading_account: ID, $live_account: Boolean, $type: String, $status: String, $destination: String, $created_at_from: Millis, $created_at_to: Millis, $amount: Money, $limit: Int, $page: Int) {
  balance_transactions(
    _id: $_id
    ticket: $ticket
    account_number: $account_number
    trading_account: $trading_account
    live_account: $live_account
    with_cancelled: true
    type: $type
    status: $status
    destination: $destination
    created_at_from: $created_at_from
    created_at_to: $created_at_to
    amount: $amount
    limit: $limit
    page: $page
    withCount: true
  ) {
    _id
    ticket
    type
    amount
    currency
    status
    state
    source
    comment
    origin
    payment_method
    psp_transaction {
      psp
      card_type
      coin_amount
      image_url
    }
    destination
    destination_text
    coin
    coin_network
    fee
    destination_bank_account {
      bank_name
      bank_account
      currency
    }
    platform_ticket
    created_at
    rejection {
      reason
      sentence
      next
      note
    }
    timeline {
      at
      event
      by
      note
    }
    trading_account {
      _id
      platform_login
      live_account
      platform_type
    }
    attachments {
      media_type
      scan
      image {
        _id
        title
        url
      }
      document {
        _id
        title
        url
      }
      file {
        _id
        title
        url
      }
      created_at
    }
  }
}
    `) as unknown as TypedDocumentString<TransactionsQuery, TransactionsQueryVariables>;
export const TransferBanksDocument = new TypedDocumentString(`
    query TransferBanks {
  system_bank_accounts {
    _id
    currency
    account_holder
    bank_account
    iban_number
    swift
    bank_name
    address_line_1
    identifier
    notes
    sort_code
  }
  bank_accounts {
    _id
    currency
    account_holder
    bank_account
    iban_number
    bank_name
  }
}
    `) as unknown as TypedDocumentString<TransferBanksQuery, TransferBanksQueryVariables>;
export const WithdrawalBeneficiariesDocument = new TypedDocumentString(`
    query WithdrawalBeneficiaries {
  bank_accounts {
    _id
    currency
    account_holder
    bank_name
  }
  others: other_accounts(type: "other") {
    _id
    name
    provider
    preferred_currency
  }
  wallets: other_accounts(type: "crypto") {
    _id
    name
    provider
    preferred_currency
  }
}
    `) as unknown as TypedDocumentString<WithdrawalBeneficiariesQuery, WithdrawalBeneficiariesQueryVariables>;
export const WaysToPayDocument = new TypedDocumentString(`
    query WaysToPay {
  available_psps {
    _id
    name
    app_uid
    takes_coins
    app {
      image_url
    }
    currencies {
      currency
      amount_min
      amount_max
      fee_percent
      fee_fixed
    }
  }
  current_member {
    phones
    emails
    addresses {
      _id
      address_line_1
      city
      primary
      country {
        alpha_2
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WaysToPayQuery, WaysToPayQueryVariables>;
export const ProfileDocument = new TypedDocumentString(`
    query Profile {
  current_member {
    _id
    title
    name
    customer_number
    documents_status
    text_language
    language
    time_zone
    colour_scheme
    profile_version
    profile_pic {
      _id
      url
    }
    phones
    emails
    addresses {
      _id
      address_line_1
      address_line_2
      city
      postcode
      state
      primary
      country {
        _id
        name
        alpha_2
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ProfileQuery, ProfileQueryVariables>;
export const OwnBankAccountsDocument = new TypedDocumentString(`
    query OwnBankAccounts {
  bank_accounts {
    _id
    currency
    account_holder
    bank_account
    iban_number
    swift
    bank_name
  }
}
    `) as unknown as TypedDocumentString<OwnBankAccountsQuery, OwnBankAccountsQueryVariables>;
export const QuickLinksDocument = new TypedDocumentString(`
    query QuickLinks {
  current_member {
    requests_types_for_quick_links {
      _id
      name
      description
      last_request {
        _id
        number
        status
        created_at
      }
    }
  }
}
    `) as unknown as TypedDocumentString<QuickLinksQuery, QuickLinksQueryVariables>;
export const RequestTypesDocument = new TypedDocumentString(`
    query RequestTypes {
  requests_types(show_in_portal: true) {
    _id
    name
    description
    predefined_type
    form {
      _id
    }
  }
}
    `) as unknown as TypedDocumentString<RequestTypesQuery, RequestTypesQueryVariables>;
export const RequestTypeDocument = new TypedDocumentString(`
    query RequestType($_id: ID!, $customer: ID!) {
  request_type(_id: $_id) {
    _id
    name
    description
    predefined_type
    form {
      _id
    }
    last_request(customer: $customer) {
      _id
      number
      status
      comment
      created_at
    }
  }
}
    `) as unknown as TypedDocumentString<RequestTypeQuery, RequestTypeQueryVariables>;
export const RequestsDocument = new TypedDocumentString(`
    query Requests($customer: ID!, $q: String, $status: String, $created_at: Millis, $created_at_to: Millis, $limit: Int, $page: Int) {
  requests(
    customer: $customer
    scope: "crm"
    q: $q
    status: $status
    created_at: $created_at
    created_at_to: $created_at_to
    limit: $limit
    page: $page
    withCount: true
  ) {
    _id
    number
    subject
    status
    status_since
    created_at
  }
}
    `) as unknown as TypedDocumentString<RequestsQuery, RequestsQueryVariables>;
export const RequestDocument = new TypedDocumentString(`
    query Request($_id: ID!) {
  requests(_id: $_id, limit: 1) {
    _id
    number
    subject
    description
    status
    comment
    created_at
    form_data
    request_type {
      _id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<RequestQuery, RequestQueryVariables>;
export const CurrentMemberDocument = new TypedDocumentString(`
    query CurrentMember {
  current_member {
    _id
    name
    first_name
    customer_number
    documents_status
    text_language
    kyc_category_id
    type
    accounts_live_count
    accounts_demo_count
    language
    time_zone
    colour_scheme
    profile_pic {
      _id
      url
    }
  }
}
    `) as unknown as TypedDocumentString<CurrentMemberQuery, CurrentMemberQueryVariables>;
export const TicketListsDocument = new TypedDocumentString(`
    query TicketLists($q: String, $limit: Int, $openPage: Int, $takenPage: Int, $closedPage: Int) {
  open: tickets(
    q: $q
    status: "open"
    limit: $limit
    page: $openPage
    withCount: true
  ) {
    ...TicketRow
  }
  taken: tickets(
    q: $q
    status: "taken"
    limit: $limit
    page: $takenPage
    withCount: true
  ) {
    ...TicketRow
  }
  closed: tickets(
    q: $q
    status: "resolved"
    limit: $limit
    page: $closedPage
    withCount: true
  ) {
    ...TicketRow
  }
}
    fragment TicketRow on Ticket {
  _id
  ticket
  subject
  priority
  status
  is_unread
  created_at
  last_reply_at
}`) as unknown as TypedDocumentString<TicketListsQuery, TicketListsQueryVariables>;
export const TicketDocument = new TypedDocumentString(`
    query Ticket($_id: ID!) {
  tickets(_id: $_id, limit: 1) {
    _id
    ticket
    type
    priority
    subject
    status
    description
    created_at
    is_unread
    taken_by {
      _id
      name
      profile_pic {
        _id
        url
      }
    }
    customer {
      _id
      name
      profile_pic {
        _id
        url
      }
    }
    merged_into {
      _id
      ticket
    }
    conversation {
      uid
      type
      content
      is_staff
      created_at
      created_by {
        _id
        name
        profile_pic {
          _id
          url
        }
      }
      attachment {
        _id
        url
        name
        type
        extension
        size_bytes
        scan
      }
    }
    model {
      __typename
      ... on TradingAccount {
        _id
        platform_login
        balance
        currency
        trading_platform {
          _id
          type
        }
      }
      ... on BalanceTransaction {
        _id
        ticket
        type
        amount
        currency
        trading_account {
          _id
          platform_login
        }
      }
      ... on PlatformDownload {
        _id
        name
        platform
        trading_platform_name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TicketQuery, TicketQueryVariables>;
export const TradesDocument = new TypedDocumentString(`
    query Trades($trading_account: ID!, $symbol: String, $side: String, $entry: String, $from: Seconds, $to: Seconds, $sort: String, $order: String, $limit: Int, $page: Int) {
  trade_records(
    trading_account: $trading_account
    symbol: $symbol
    side: $side
    entry: $entry
    from: $from
    to: $to
    sort: $sort
    order: $order
    limit: $limit
    page: $page
    withCount: true
  ) {
    _id
    order
    cmd
    entry
    symbol
    volume
    open_price
    close_price
    tp
    sl
    price_tp
    price_sl
    profit
    swap
    commission
    state
    state_label
    timestamp
    opened_at
    comment
    ticket
    deal
  }
  trade_totals(
    trading_account: $trading_account
    symbol: $symbol
    side: $side
    entry: $entry
    from: $from
    to: $to
  ) {
    count
    volume
    profit
    swap
    commission
    net
  }
}
    `) as unknown as TypedDocumentString<TradesQuery, TradesQueryVariables>;
export const TradeHistoryDocument = new TypedDocumentString(`
    query TradeHistory($trading_account: ID!) {
  trade_history(trading_account: $trading_account) {
    read_from
    read_at
    is_complete
    is_being_read
    failing_since
    symbols
  }
}
    `) as unknown as TypedDocumentString<TradeHistoryQuery, TradeHistoryQueryVariables>;
export const OpenPositionsDocument = new TypedDocumentString(`
    query OpenPositions($trading_account: ID!) {
  open_positions(trading_account: $trading_account) {
    read_at
    is_live
    profit
    positions {
      _id
      cmd
      symbol
      volume
      open_price
      current_price
      sl
      tp
      profit
      swap
      timestamp
      comment
    }
  }
}
    `) as unknown as TypedDocumentString<OpenPositionsQuery, OpenPositionsQueryVariables>;
export const AccountTransactionsDocument = new TypedDocumentString(`
    query AccountTransactions($trading_account: ID!, $limit: Int, $page: Int) {
  balance_transactions(
    trading_account: $trading_account
    with_cancelled: true
    limit: $limit
    page: $page
    withCount: true
  ) {
    ...AccountTransaction
  }
}
    fragment AccountTransaction on BalanceTransaction {
  _id
  ticket
  type
  amount
  currency
  status
  state
  comment
  payment_method
  destination
  platform_ticket
  created_at
  timeline {
    event
  }
  trade_record {
    _id
    deal
    login
    comment
    trade_record_type
  }
  attachments {
    media_type
    scan
    image {
      _id
      title
      url
    }
    document {
      _id
      title
      url
    }
    file {
      _id
      title
      url
    }
    created_at
  }
}`) as unknown as TypedDocumentString<AccountTransactionsQuery, AccountTransactionsQueryVariables>;
export const LatestTransactionsDocument = new TypedDocumentString(`
    query LatestTransactions($trading_account: ID!) {
  trading_account(_id: $trading_account) {
    _id
    balance_transactions {
      ...AccountTransaction
    }
  }
}
    fragment AccountTransaction on BalanceTransaction {
  _id
  ticket
  type
  amount
  currency
  status
  state
  comment
  payment_method
  destination
  platform_ticket
  created_at
  timeline {
    event
  }
  trade_record {
    _id
    deal
    login
    comment
    trade_record_type
  }
  attachments {
    media_type
    scan
    image {
      _id
      title
      url
    }
    document {
      _id
      title
      url
    }
    file {
      _id
      title
      url
    }
    created_at
  }
}`) as unknown as TypedDocumentString<LatestTransactionsQuery, LatestTransactionsQueryVariables>;