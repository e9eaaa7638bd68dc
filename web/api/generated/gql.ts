/* eslint-disable */
import * as types from './graphql';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query Accounts($sync: Boolean!) {\n    current_member {\n      _id\n      accounts(sync: $sync) {\n        _id\n        platform_login\n        platform_type\n        leverage\n        group\n        balance\n        equity\n        balance_as_of\n        balance_is_live\n        live_account\n        currency\n        status\n        country\n        country_alpha2\n        city\n        enable_read_only\n        archived\n        deleted\n        trading_platform {\n          _id\n          name\n          type\n        }\n        trade_info {\n          floating_pnl\n        }\n      }\n    }\n  }\n": typeof types.AccountsDocument,
    "\n  query Transactions(\n    $ticket: String\n    $account_number: String\n    $type: String\n    $status: String\n    $destination: String\n    $created_at_from: Millis\n    $created_at_to: Millis\n    $amount: Money\n    $limit: Int\n    $page: Int\n  ) {\n    balance_transactions(\n      ticket: $ticket\n      account_number: $account_number\n      type: $type\n      status: $status\n      destination: $destination\n      created_at_from: $created_at_from\n      created_at_to: $created_at_to\n      amount: $amount\n      limit: $limit\n      page: $page\n      withCount: true\n    ) {\n      _id\n      ticket\n      type\n      amount\n      currency\n      status\n      state\n      source\n      comment\n      origin\n      payment_method\n      psp_transaction {\n        psp\n        card_type\n      }\n      destination\n      destination_bank_account {\n        bank_name\n        bank_account\n        currency\n      }\n      platform_ticket\n      created_at\n      rejection {\n        reason\n        sentence\n        next\n        note\n      }\n      timeline {\n        at\n        event\n        by\n        note\n      }\n      trading_account {\n        _id\n        platform_login\n        live_account\n        platform_type\n      }\n      attachments {\n        media_type\n        image {\n          _id\n          title\n          url\n        }\n        document {\n          _id\n          title\n          url\n        }\n        file {\n          _id\n          title\n          url\n        }\n        created_at\n      }\n    }\n  }\n": typeof types.TransactionsDocument,
    "\n  query PaymentProviders {\n    available_psps {\n      _id\n      name\n      app_uid\n    }\n  }\n": typeof types.PaymentProvidersDocument,
    "\n  query TransferBanks {\n    system_bank_accounts {\n      _id\n      currency\n      account_holder\n      bank_account\n      iban_number\n      swift\n      bank_name\n      address_line_1\n      identifier\n      notes\n      sort_code\n    }\n    bank_accounts {\n      _id\n      currency\n      account_holder\n      bank_account\n      iban_number\n      bank_name\n    }\n  }\n": typeof types.TransferBanksDocument,
    "\n  query CurrentMember {\n    current_member {\n      _id\n      name\n      first_name\n      customer_number\n      documents_status\n      type\n    }\n  }\n": typeof types.CurrentMemberDocument,
};
const documents: Documents = {
    "\n  query Accounts($sync: Boolean!) {\n    current_member {\n      _id\n      accounts(sync: $sync) {\n        _id\n        platform_login\n        platform_type\n        leverage\n        group\n        balance\n        equity\n        balance_as_of\n        balance_is_live\n        live_account\n        currency\n        status\n        country\n        country_alpha2\n        city\n        enable_read_only\n        archived\n        deleted\n        trading_platform {\n          _id\n          name\n          type\n        }\n        trade_info {\n          floating_pnl\n        }\n      }\n    }\n  }\n": types.AccountsDocument,
    "\n  query Transactions(\n    $ticket: String\n    $account_number: String\n    $type: String\n    $status: String\n    $destination: String\n    $created_at_from: Millis\n    $created_at_to: Millis\n    $amount: Money\n    $limit: Int\n    $page: Int\n  ) {\n    balance_transactions(\n      ticket: $ticket\n      account_number: $account_number\n      type: $type\n      status: $status\n      destination: $destination\n      created_at_from: $created_at_from\n      created_at_to: $created_at_to\n      amount: $amount\n      limit: $limit\n      page: $page\n      withCount: true\n    ) {\n      _id\n      ticket\n      type\n      amount\n      currency\n      status\n      state\n      source\n      comment\n      origin\n      payment_method\n      psp_transaction {\n        psp\n        card_type\n      }\n      destination\n      destination_bank_account {\n        bank_name\n        bank_account\n        currency\n      }\n      platform_ticket\n      created_at\n      rejection {\n        reason\n        sentence\n        next\n        note\n      }\n      timeline {\n        at\n        event\n        by\n        note\n      }\n      trading_account {\n        _id\n        platform_login\n        live_account\n        platform_type\n      }\n      attachments {\n        media_type\n        image {\n          _id\n          title\n          url\n        }\n        document {\n          _id\n          title\n          url\n        }\n        file {\n          _id\n          title\n          url\n        }\n        created_at\n      }\n    }\n  }\n": types.TransactionsDocument,
    "\n  query PaymentProviders {\n    available_psps {\n      _id\n      name\n      app_uid\n    }\n  }\n": types.PaymentProvidersDocument,
    "\n  query TransferBanks {\n    system_bank_accounts {\n      _id\n      currency\n      account_holder\n      bank_account\n      iban_number\n      swift\n      bank_name\n      address_line_1\n      identifier\n      notes\n      sort_code\n    }\n    bank_accounts {\n      _id\n      currency\n      account_holder\n      bank_account\n      iban_number\n      bank_name\n    }\n  }\n": types.TransferBanksDocument,
    "\n  query CurrentMember {\n    current_member {\n      _id\n      name\n      first_name\n      customer_number\n      documents_status\n      type\n    }\n  }\n": types.CurrentMemberDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Accounts($sync: Boolean!) {\n    current_member {\n      _id\n      accounts(sync: $sync) {\n        _id\n        platform_login\n        platform_type\n        leverage\n        group\n        balance\n        equity\n        balance_as_of\n        balance_is_live\n        live_account\n        currency\n        status\n        country\n        country_alpha2\n        city\n        enable_read_only\n        archived\n        deleted\n        trading_platform {\n          _id\n          name\n          type\n        }\n        trade_info {\n          floating_pnl\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').AccountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Transactions(\n    $ticket: String\n    $account_number: String\n    $type: String\n    $status: String\n    $destination: String\n    $created_at_from: Millis\n    $created_at_to: Millis\n    $amount: Money\n    $limit: Int\n    $page: Int\n  ) {\n    balance_transactions(\n      ticket: $ticket\n      account_number: $account_number\n      type: $type\n      status: $status\n      destination: $destination\n      created_at_from: $created_at_from\n      created_at_to: $created_at_to\n      amount: $amount\n      limit: $limit\n      page: $page\n      withCount: true\n    ) {\n      _id\n      ticket\n      type\n      amount\n      currency\n      status\n      state\n      source\n      comment\n      origin\n      payment_method\n      psp_transaction {\n        psp\n        card_type\n      }\n      destination\n      destination_bank_account {\n        bank_name\n        bank_account\n        currency\n      }\n      platform_ticket\n      created_at\n      rejection {\n        reason\n        sentence\n        next\n        note\n      }\n      timeline {\n        at\n        event\n        by\n        note\n      }\n      trading_account {\n        _id\n        platform_login\n        live_account\n        platform_type\n      }\n      attachments {\n        media_type\n        image {\n          _id\n          title\n          url\n        }\n        document {\n          _id\n          title\n          url\n        }\n        file {\n          _id\n          title\n          url\n        }\n        created_at\n      }\n    }\n  }\n"): typeof import('./graphql').TransactionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PaymentProviders {\n    available_psps {\n      _id\n      name\n      app_uid\n    }\n  }\n"): typeof import('./graphql').PaymentProvidersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TransferBanks {\n    system_bank_accounts {\n      _id\n      currency\n      account_holder\n      bank_account\n      iban_number\n      swift\n      bank_name\n      address_line_1\n      identifier\n      notes\n      sort_code\n    }\n    bank_accounts {\n      _id\n      currency\n      account_holder\n      bank_account\n      iban_number\n      bank_name\n    }\n  }\n"): typeof import('./graphql').TransferBanksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CurrentMember {\n    current_member {\n      _id\n      name\n      first_name\n      customer_number\n      documents_status\n      type\n    }\n  }\n"): typeof import('./graphql').CurrentMemberDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
