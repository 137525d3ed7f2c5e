/** A paid plug-in of the specification. */
export interface PaidModule {
  pluginid: number
  companyid: number
}

/** A module is paid when a record matches both the plug-in and the company, and the company id is above 0. */
export const isPaid = (records: readonly PaidModule[], pluginId: number, companyId: number): boolean =>
  companyId > 0 && records.some((one) => one.pluginid === pluginId && one.companyid === companyId)
