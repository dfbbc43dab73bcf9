use std::io::Write;

/// Prints each finding immediately, because some checks take seconds.
pub(super) struct Report<'a> {
    out: &'a mut dyn Write,
    errors: usize,
}

impl<'a> Report<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, errors: 0 }
    }

    /// Returns the number of errors so far.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    pub(super) fn ok(&mut self, subject: &str, finding: impl AsRef<str>) -> anyhow::Result<()> {
        self.line("ok", subject, finding.as_ref())
    }

    /// Reports a finding that may be intended but is probably a mistake, with a remedy.
    pub(super) fn warning(
        &mut self,
        subject: &str,
        finding: impl AsRef<str>,
        remedy: impl AsRef<str>,
    ) -> anyhow::Result<()> {
        self.line("warning", subject, finding.as_ref())?;
        self.remedy(remedy.as_ref())
    }

    /// Reports a fault, with a remedy.
    pub(super) fn error(
        &mut self,
        subject: &str,
        finding: impl AsRef<str>,
        remedy: impl AsRef<str>,
    ) -> anyhow::Result<()> {
        self.errors += 1;
        self.line("error", subject, finding.as_ref())?;
        self.remedy(remedy.as_ref())
    }

    fn line(&mut self, status: &str, subject: &str, finding: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{status} {subject}: {}", single_line(finding))?;
        Ok(self.out.flush()?)
    }

    fn remedy(&mut self, remedy: &str) -> anyhow::Result<()> {
        writeln!(self.out, "  remedy: {}", single_line(remedy))?;
        Ok(self.out.flush()?)
    }
}

/// Puts text on one line: replaces control characters, which may come from another program's response.
fn single_line(text: &str) -> String {
    let text = text.trim().replace("\r\n", " ");
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
