package io.aardappel.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * {@code make docs} runs it with {@code DOCS_WRITE=true}, which writes the file. A schema that refuses what the committed
 * one takes is not written unless {@code CRD_NARROWER=true} says that it is meant.
 */
@DisplayName("The committed CRD")
class CommittedCrdTest {
    @Test
    void isWhatTheModelMakes() throws IOException {
        String generated = Crd.generated();
        if ("true".equals(System.getenv("DOCS_WRITE"))) {
            if (Files.exists(Crd.COMMITTED) && !"true".equals(System.getenv("CRD_NARROWER"))) {
                assertThat(narrower(generated))
                        .as("existing resources would be refused")
                        .isEmpty();
            }
            Files.writeString(Crd.COMMITTED, generated);
        }
        assertThat(Crd.committed())
                .as("%s is stale; `make docs` writes it anew", Crd.COMMITTED)
                .isEqualTo(generated);
    }

    @Test
    void fitsClientSideApply() {
        assertThat(Crd.committed().length()).isLessThan(200_000);
    }

    private static List<String> narrower(String generated) {
        return Narrowing.between(Crd.schema(Crd.committed()), Crd.schema(generated));
    }
}
