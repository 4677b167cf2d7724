/** What is wrong with a DNS-1035 label, in the words of the API server; empty if nothing. */
export const dnsLabelErrors = (value: string): readonly string[] => [
  ...(value.length > 63 ? ['must be no more than 63 characters'] : []),
  ...(/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value)
    ? []
    : [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ]),
];
